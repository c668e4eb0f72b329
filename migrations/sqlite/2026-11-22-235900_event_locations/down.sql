DROP INDEX events_of_database;
DROP INDEX events_of_page;
ALTER TABLE events DROP COLUMN page_id;
ALTER TABLE events DROP COLUMN database_id;
ALTER TABLE events DROP COLUMN record_id;
ALTER TABLE events DROP COLUMN team_id;
