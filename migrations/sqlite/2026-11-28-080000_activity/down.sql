DROP INDEX events_of_actor;
DROP INDEX events_of_resource;
