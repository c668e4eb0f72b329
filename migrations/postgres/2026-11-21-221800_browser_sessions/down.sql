DELETE FROM directory WHERE kind = 'browser_session';
DROP TABLE browser_sessions;
