-- Not in the file before: its lock on the table would make reads wait until the indexes are built.

-- Operators find guilds by their owner, and by the start of their name, whatever its case.
CREATE INDEX guilds_by_owner ON guilds (owner_id);
CREATE INDEX guilds_by_name ON guilds (lower(name) text_pattern_ops);
