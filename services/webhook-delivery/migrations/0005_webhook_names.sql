-- Operators find webhooks by the start of their name, whatever its case.
CREATE INDEX webhooks_name_idx ON webhooks (lower(name) text_pattern_ops);
