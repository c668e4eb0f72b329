ALTER TABLE chores DROP COLUMN is_leased;
