-- The user on whose behalf an app acted.
ALTER TABLE events ADD COLUMN on_behalf_of TEXT COLLATE "C";
ALTER TABLE event_inbox ADD COLUMN on_behalf_of TEXT COLLATE "C";
