-- What readers are told: which credentials have ended, and whose accounts have changed (docs/events.md#accounts). The
-- log is read as chat's is: along the index where a reader is near its end, and otherwise by IDs.
CREATE TABLE events (
  id            bigint      GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xact_id       xid8        NOT NULL DEFAULT pg_current_xact_id(),
  type          text        NOT NULL CHECK (type IN ('CREDENTIAL_ENDED', 'USER_UPDATE')),
  account_id    bigint      NOT NULL,
  -- Which session or bot token it was.
  credential_id bigint,
  created_at    timestamptz NOT NULL DEFAULT now(),
  CHECK ((type = 'CREDENTIAL_ENDED') = (credential_id IS NOT NULL))
);
CREATE INDEX events_by_xact_and_id ON events (xact_id, id);

-- The one row says what has left the log: the highest transaction of a removed event, and the highest ID of one. It is
-- written by the statement that removes, so a reader that may have missed an event sees it.
CREATE TABLE event_log_horizon (
  singleton  boolean  PRIMARY KEY DEFAULT true CHECK (singleton),
  xact_id    xid8     NOT NULL,
  event_id   bigint   NOT NULL
);
INSERT INTO event_log_horizon (xact_id, event_id) VALUES ('0', 0);

-- Triggers write the events, so that none is missed however a row goes: cascades of a deleted account are among them.
-- They lock no rows, so the order of locks is as it was.

CREATE FUNCTION note_sessions_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, account_id, credential_id)
  SELECT 'CREDENTIAL_ENDED', account_id, id FROM ended;
  RETURN NULL;
END $$;
CREATE TRIGGER note_ended AFTER DELETE ON sessions REFERENCING OLD TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION note_sessions_ended();

CREATE FUNCTION note_bot_tokens_ended() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, account_id, credential_id)
  SELECT 'CREDENTIAL_ENDED', application_id, id FROM ended;
  RETURN NULL;
END $$;
CREATE TRIGGER note_ended AFTER DELETE ON bot_tokens REFERENCING OLD TABLE AS ended
  FOR EACH STATEMENT EXECUTE FUNCTION note_bot_tokens_ended();

-- A token with another ID takes the place of one that ends.
CREATE FUNCTION note_bot_tokens_replaced() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, account_id, credential_id)
  SELECT 'CREDENTIAL_ENDED', application_id, id FROM before
   WHERE NOT EXISTS (SELECT FROM after WHERE after.id = before.id);
  RETURN NULL;
END $$;
CREATE TRIGGER note_replaced AFTER UPDATE ON bot_tokens REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION note_bot_tokens_replaced();

-- The columns that the current user has (src/accounts/account-view.ts). A renewed hash of a password shows nowhere.
CREATE FUNCTION note_accounts_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, account_id)
  SELECT 'USER_UPDATE', after.id
    FROM before JOIN after USING (id)
   WHERE (before.username, before.global_name, before.avatar, before.bot, before.email, before.verified, before.bio,
          before.pronouns, before.accent_color, before.banner, before.password_changed_at, before.flags)
     IS DISTINCT FROM
         (after.username, after.global_name, after.avatar, after.bot, after.email, after.verified, after.bio,
          after.pronouns, after.accent_color, after.banner, after.password_changed_at, after.flags);
  RETURN NULL;
END $$;
CREATE TRIGGER note_changed AFTER UPDATE ON accounts REFERENCING OLD TABLE AS before NEW TABLE AS after
  FOR EACH STATEMENT EXECUTE FUNCTION note_accounts_changed();

-- The current user has which kinds of second factors there are: of passkeys, the first and the last one change that.
-- Whoever adds or removes a factor has locked the account. With an account its factors end unsaid.
CREATE FUNCTION note_totp_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, account_id)
  SELECT 'USER_UPDATE', account_id FROM changed WHERE EXISTS (SELECT FROM accounts WHERE id = account_id);
  RETURN NULL;
END $$;
CREATE TRIGGER note_added AFTER INSERT ON totp_factors REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_totp_changed();
CREATE TRIGGER note_removed AFTER DELETE ON totp_factors REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_totp_changed();

CREATE FUNCTION note_passkeys_changed() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  INSERT INTO events (type, account_id)
  SELECT DISTINCT 'USER_UPDATE', account_id FROM changed
   WHERE EXISTS (SELECT FROM accounts WHERE accounts.id = account_id)
     AND NOT EXISTS (SELECT FROM webauthn_credentials AS other
                      WHERE other.account_id = changed.account_id
                        AND other.id NOT IN (SELECT id FROM changed));
  RETURN NULL;
END $$;
CREATE TRIGGER note_added AFTER INSERT ON webauthn_credentials REFERENCING NEW TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_passkeys_changed();
CREATE TRIGGER note_removed AFTER DELETE ON webauthn_credentials REFERENCING OLD TABLE AS changed
  FOR EACH STATEMENT EXECUTE FUNCTION note_passkeys_changed();
