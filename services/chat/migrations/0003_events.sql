-- The event log: what sessions are to be told (contract 9). A row is written in the transaction that
-- causes it, so no event is lost between commit and publishing, and none tells of what was rolled
-- back.
--
-- How to read it without skipping a row: `id` is drawn before the commit, so a row may become visible
-- after rows with higher IDs were read; "id > the last one seen" loses it. A reader's cursor is
-- therefore a snapshot (pg_current_snapshot()). What is new since snapshot `s`, as seen by the
-- reader's own snapshot, is exactly
--
--   SELECT … FROM events
--   WHERE xact_id >= pg_snapshot_xmin(s) AND NOT pg_visible_in_snapshot(xact_id, s)
--   ORDER BY id
--
-- with the cursor for the next turn, pg_current_snapshot(), taken in the same statement. No row is
-- read twice or skipped, however late its transaction commits, and a long transaction elsewhere holds
-- nothing up. Whoever acts after a commit draws a higher `id`, so the order within a turn is right
-- too. A transaction ID means nothing to another server: leave this table out when a dump moves.
CREATE TABLE events (
  id          bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xact_id     xid8        NOT NULL DEFAULT pg_current_xact_id(),
  type        text        NOT NULL,
  -- Whom it concerns: one account's sessions; or those that can view the channel; or the guild's.
  account_id  bigint,
  channel_id  bigint,
  guild_id    bigint,
  -- What happened, IDs as strings. For a message: the stored message as it was then, in the form of
  -- MessageRow (src/store/messages.ts), whose users are looked up when it is shown.
  payload     jsonb       NOT NULL,
  created_at  timestamptz NOT NULL DEFAULT now()
);
CREATE INDEX events_by_xact ON events (xact_id);
