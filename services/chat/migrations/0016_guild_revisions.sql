-- Counts the changes of a guild and of all that is in it but messages: who judged rights by one revision and then finds
-- another judges them anew. It is raised by whoever locks the guild to change it (src/store/guild-lock.ts).
ALTER TABLE guilds ADD COLUMN revision bigint NOT NULL DEFAULT 0;
