-- The user on whose behalf an app acted.
ALTER TABLE events ADD COLUMN on_behalf_of TEXT;
