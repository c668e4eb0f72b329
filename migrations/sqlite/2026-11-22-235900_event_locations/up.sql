-- Where an event belongs. Rights to read it depend on this, and the events of a page or a database are found without reading the whole log.
ALTER TABLE events ADD COLUMN page_id TEXT;
ALTER TABLE events ADD COLUMN database_id TEXT;
ALTER TABLE events ADD COLUMN record_id TEXT;
ALTER TABLE events ADD COLUMN team_id TEXT;
UPDATE events SET page_id = resource_id WHERE resource_type = 'page';
UPDATE events SET team_id = resource_id WHERE resource_type = 'team';
UPDATE events SET page_id = (SELECT s.resource_id FROM share_links AS s WHERE s.workspace_id = events.workspace_id AND s.id = events.resource_id) WHERE resource_type = 'share_link';
UPDATE events SET page_id = (SELECT s.resource_id FROM access_requests AS s WHERE s.workspace_id = events.workspace_id AND s.id = events.resource_id) WHERE resource_type = 'access_request';
UPDATE events SET team_id = (SELECT s.team_id FROM team_memberships AS s WHERE s.workspace_id = events.workspace_id AND s.id = events.resource_id) WHERE resource_type = 'team_member';

-- Events without a page or a database do not appear in these indexes.
CREATE INDEX events_of_page ON events (workspace_id, page_id, sequence) WHERE page_id IS NOT NULL;
-- Covers the question which records have changed since an event.
CREATE INDEX events_of_database ON events (workspace_id, database_id, sequence, record_id) WHERE database_id IS NOT NULL;
