DROP INDEX access_grants_of_excluded;
