DELETE FROM event_cursors WHERE consumer = 'notifications';
DROP TABLE follows;
DROP TABLE notification_preferences;
DROP TABLE notifications;
