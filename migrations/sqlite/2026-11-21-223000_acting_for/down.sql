ALTER TABLE events DROP COLUMN on_behalf_of;
