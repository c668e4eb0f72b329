DROP INDEX event_cursors_failed;
DROP TABLE notification_digests;
