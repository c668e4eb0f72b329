DROP TABLE favorites;
DROP TABLE page_visits;
DROP TABLE access_grants;
DROP TABLE pages;
