-- Replicas take turns: who claims a row has it to itself until then.
ALTER TABLE ended_channels ADD COLUMN next_attempt_at timestamptz NOT NULL DEFAULT now();
CREATE INDEX ended_channels_next_attempt_at_idx ON ended_channels (next_attempt_at);
