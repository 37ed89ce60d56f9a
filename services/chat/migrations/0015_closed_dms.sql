-- A DM is closed for an account until an event opens it again. A message alone does not: one may be posted just while the
-- account closes the DM, and whoever reads the event log would not know that it is open.
ALTER TABLE channel_recipients ADD COLUMN closed boolean NOT NULL DEFAULT false;
UPDATE channel_recipients SET closed = true
  WHERE closed_after >= COALESCE(
    (SELECT max(id) FROM messages WHERE messages.channel_id = channel_recipients.channel_id), 0);
ALTER TABLE channel_recipients DROP COLUMN closed_after;
