-- Finds the pictures that webhooks have.
CREATE INDEX webhooks_avatar_idx ON webhooks (avatar) WHERE avatar IS NOT NULL;
