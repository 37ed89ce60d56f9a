-- Guilds that operators disabled: every change in them is refused (docs/guilds.md#disabled-guilds).
ALTER TABLE guilds
  -- Null: enabled. The other two columns are null then and only then.
  ADD COLUMN disabled_at timestamptz(3),
  -- The operator's name.
  ADD COLUMN disabled_by text,
  ADD COLUMN disabled_reason text;
