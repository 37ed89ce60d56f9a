-- Bots whose application was deleted, until they are gone from auth and from chat.
CREATE TABLE ended_bots (
  application_id bigint PRIMARY KEY,
  owner_id bigint NOT NULL,
  ended_at timestamptz(3) NOT NULL DEFAULT now(),
  next_attempt_at timestamptz(3) NOT NULL
);
CREATE INDEX ended_bots_next_attempt_at_idx ON ended_bots (next_attempt_at);
