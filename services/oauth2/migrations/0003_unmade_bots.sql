-- Bots that were asked for at auth, until their application is made. What is past its time was never made:
-- there may be such a bot, which nobody will use, and it is to be ended.
CREATE TABLE unmade_bots (
  application_id bigint PRIMARY KEY,
  owner_id bigint NOT NULL,
  -- When to end it: later than the application can be made.
  next_attempt_at timestamptz(3) NOT NULL
);
CREATE INDEX unmade_bots_next_attempt_at_idx ON unmade_bots (next_attempt_at);
