ALTER TABLE events DROP COLUMN on_behalf_of;
ALTER TABLE event_inbox DROP COLUMN on_behalf_of;
