-- The user whom an app acted for.
ALTER TABLE events ADD COLUMN on_behalf_of TEXT COLLATE "C";
ALTER TABLE event_inbox ADD COLUMN on_behalf_of TEXT COLLATE "C";
