-- The user whom an app acted for.
ALTER TABLE events ADD COLUMN on_behalf_of TEXT;
