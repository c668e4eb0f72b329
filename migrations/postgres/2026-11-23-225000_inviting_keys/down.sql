ALTER TABLE invitations DROP COLUMN invited_by_key;
