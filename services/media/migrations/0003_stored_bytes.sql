-- Bytes of pictures that were stored on a day, by whose they count against: an account or a guild.
CREATE TABLE stored_bytes (
  owner_id text NOT NULL,
  -- Of UTC.
  day date NOT NULL,
  bytes bigint NOT NULL,
  PRIMARY KEY (owner_id, day)
);
CREATE INDEX stored_bytes_day_idx ON stored_bytes (day);
