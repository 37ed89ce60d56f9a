-- The data export of an account reads the webhooks that it created.
CREATE INDEX webhooks_creator_id_idx ON webhooks (creator_id, id);
