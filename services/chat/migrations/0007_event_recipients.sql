-- An event can be for several accounts: those that are in a private channel.
ALTER TABLE events ADD COLUMN account_ids bigint[];
UPDATE events SET account_ids = ARRAY[account_id] WHERE account_id IS NOT NULL;
ALTER TABLE events DROP COLUMN account_id;
COMMENT ON COLUMN events.account_ids IS 'Whose sessions are told: of these accounts alone; or, where it is null, of those that can view the channel; or of the guild.';
