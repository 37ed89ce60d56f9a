-- A guild as it is at the place of a GUILD_CREATE, in the form of GuildRows (src/store/guild-states.ts). Readers get it only
-- when they ask for the event by its ID.
ALTER TABLE events ADD COLUMN state jsonb;
