-- Where an event lies. Readers are let in by it, and find the events of a page or of a database without reading the whole log.
ALTER TABLE events ADD COLUMN page_id TEXT;
ALTER TABLE events ADD COLUMN database_id TEXT;
ALTER TABLE events ADD COLUMN record_id TEXT;
ALTER TABLE events ADD COLUMN team_id TEXT;
UPDATE events SET page_id = resource_id WHERE resource_type = 'page';
UPDATE events SET team_id = resource_id WHERE resource_type = 'team';
UPDATE events SET page_id = (SELECT s.resource_id FROM share_links AS s WHERE s.workspace_id = events.workspace_id AND s.id = events.resource_id) WHERE resource_type = 'share_link';
UPDATE events SET page_id = (SELECT s.resource_id FROM access_requests AS s WHERE s.workspace_id = events.workspace_id AND s.id = events.resource_id) WHERE resource_type = 'access_request';
UPDATE events SET team_id = (SELECT s.team_id FROM team_memberships AS s WHERE s.workspace_id = events.workspace_id AND s.id = events.resource_id) WHERE resource_type = 'team_member';

-- An event without a page or a database costs these nothing.
CREATE INDEX events_of_page ON events (workspace_id, page_id, sequence) WHERE page_id IS NOT NULL;
-- Covers what columns in memory ask: which records changed since.
CREATE INDEX events_of_database ON events (workspace_id, database_id, sequence, record_id) WHERE database_id IS NOT NULL;
