-- The log is read along this index where a reader is near its end, and otherwise by IDs (src/store/event-log.ts).
CREATE INDEX events_by_xact_and_id ON events (xact_id, id);
DROP INDEX events_by_xact;

-- The one row says what has left the log: the highest transaction of a removed event, and the highest ID of one. It is
-- written by the statement that removes, so a reader that may have missed an event sees it.
CREATE TABLE event_log_horizon (
  singleton  boolean  PRIMARY KEY DEFAULT true CHECK (singleton),
  xact_id    xid8     NOT NULL,
  event_id   bigint   NOT NULL
);
INSERT INTO event_log_horizon (xact_id, event_id) VALUES ('0', 0);
