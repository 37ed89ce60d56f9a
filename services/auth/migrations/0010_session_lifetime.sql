-- By which those are found that are too old. `last_used_at` is in no index: it is written all the time.
CREATE INDEX sessions_created_at_idx ON sessions (created_at);
