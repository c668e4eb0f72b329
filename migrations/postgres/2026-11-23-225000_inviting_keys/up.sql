-- The API key that sent an invitation. The invitation counts for as long as the key does.
ALTER TABLE invitations ADD COLUMN invited_by_key TEXT COLLATE "C";
