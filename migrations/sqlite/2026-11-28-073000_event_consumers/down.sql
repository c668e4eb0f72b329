DROP TABLE events_set_aside;
DROP TABLE event_cursors;
