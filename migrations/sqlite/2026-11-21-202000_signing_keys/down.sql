DROP INDEX events_by_id;
DROP TABLE signing_keys;
