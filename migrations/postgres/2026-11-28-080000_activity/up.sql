-- What happened to a thing, and what somebody did, are found without reading the whole log.
CREATE INDEX events_of_resource ON events (workspace_id, resource_id, sequence);
CREATE INDEX events_of_actor ON events (workspace_id, actor_id, sequence) WHERE actor_id IS NOT NULL;
