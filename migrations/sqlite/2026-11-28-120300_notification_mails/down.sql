DROP TABLE notification_digests;
