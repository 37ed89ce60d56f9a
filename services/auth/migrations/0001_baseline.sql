-- Accounts, what proves who they are, and what others are told of them.

-- ## Accounts

-- People and bots. A bot's ID is its application's.
CREATE TABLE accounts (
  id                   bigint          PRIMARY KEY,
  username             text            NOT NULL,
  -- The user name in lower case: unique without case.
  username_key         text            NOT NULL,
  email                text,
  -- The address in lower case: unique without case.
  email_key            text,
  verified             boolean         NOT NULL DEFAULT false,
  -- argon2id, PHC string format.
  password_hash        text,
  password_changed_at  timestamptz(3),
  bot                  boolean         NOT NULL DEFAULT false,
  flags                integer         NOT NULL DEFAULT 0,
  global_name          text,
  -- Hashes of pictures, which media has.
  avatar               text,
  banner               text,
  bio                  text,
  pronouns             text,
  -- 0xRRGGBB.
  accent_color         integer,
  created_at           timestamptz(3)  NOT NULL DEFAULT now(),
  CONSTRAINT accounts_username_unique UNIQUE (username_key),
  CONSTRAINT accounts_email_unique UNIQUE (email_key),
  CONSTRAINT accounts_email_has_key CHECK ((email IS NULL) = (email_key IS NULL)),
  CONSTRAINT accounts_bot_cannot_log_in CHECK (NOT bot OR (email IS NULL AND password_hash IS NULL))
);

-- ## Sessions and bot tokens

-- The live sessions: the end of one deletes its row. `last_used_at` is in no index, and each page has room for the
-- next one of its rows, so that writing it writes no index either (PostgreSQL, "Heap-Only Tuples").
CREATE TABLE sessions (
  id            bigint          PRIMARY KEY,
  account_id    bigint          NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash    bytea           NOT NULL CHECK (octet_length(token_hash) = 32),
  created_at    timestamptz(3)  NOT NULL DEFAULT now(),
  -- Null: not used since it was made.
  last_used_at  timestamptz(3),
  -- The client that made it, as the edge saw it; null where the edge did not say.
  ip            text,
  user_agent    text,
  CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash)
) WITH (fillfactor = 85);
CREATE INDEX sessions_account_id_idx ON sessions (account_id);

-- The one live token of each bot.
CREATE TABLE bot_tokens (
  application_id  bigint          PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- Names this token, not the bot: a new token has a new one.
  id              bigint          NOT NULL UNIQUE,
  owner_id        bigint          NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- SHA-256 of the whole token, application ID and all.
  token_hash      bytea           NOT NULL CHECK (octet_length(token_hash) = 32),
  created_at      timestamptz(3)  NOT NULL DEFAULT now(),
  CONSTRAINT bot_tokens_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX bot_tokens_owner_id_idx ON bot_tokens (owner_id);

-- Sessions that are in sudo mode.
CREATE TABLE sudo_grants (
  session_id  bigint          PRIMARY KEY REFERENCES sessions (id) ON DELETE CASCADE,
  expires_at  timestamptz(3)  NOT NULL
);
CREATE INDEX sudo_grants_expires_at_idx ON sudo_grants (expires_at);

-- ## Second factors

-- The accounts that have TOTP.
CREATE TABLE totp_factors (
  account_id  bigint          PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- Base32, sealed.
  secret      bytea           NOT NULL,
  created_at  timestamptz(3)  NOT NULL DEFAULT now()
);

-- The 30-second steps whose codes were used: once, also when the same secret is turned off and on again.
CREATE TABLE totp_used_steps (
  account_id  bigint          NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- HMAC of the secret.
  secret_mac  bytea           NOT NULL CHECK (octet_length(secret_mac) = 32),
  step        bigint          NOT NULL,
  -- Forgotten an hour later, when nobody accepts the step any more.
  expires_at  timestamptz(3)  NOT NULL DEFAULT now() + interval '1 hour',
  PRIMARY KEY (account_id, secret_mac, step)
);
CREATE INDEX totp_used_steps_expires_at_idx ON totp_used_steps (expires_at);

-- The backup codes that an account has now, used ones included.
CREATE TABLE backup_codes (
  account_id   bigint   NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- HMAC of the code, by which it is found.
  code_mac     bytea    NOT NULL CHECK (octet_length(code_mac) = 32),
  -- The code, sealed: its owner may look at it again.
  code         bytea    NOT NULL,
  position     integer  NOT NULL,
  consumed_at  timestamptz(3),
  PRIMARY KEY (account_id, code_mac)
);

-- Passkeys.
CREATE TABLE webauthn_credentials (
  -- The credential ID of WebAuthn, base64url.
  id            text            PRIMARY KEY,
  account_id    bigint          NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  name          text            NOT NULL,
  -- COSE.
  public_key    bytea           NOT NULL,
  -- The signature counter; 0 for authenticators that have none.
  counter       bigint          NOT NULL,
  transports    text[]          NOT NULL DEFAULT '{}',
  created_at    timestamptz(3)  NOT NULL DEFAULT now(),
  last_used_at  timestamptz(3)
);
CREATE INDEX webauthn_credentials_account_id_idx ON webauthn_credentials (account_id);

-- Challenges that were handed out and not answered yet; an answer deletes its row.
CREATE TABLE webauthn_challenges (
  -- SHA-256.
  challenge_hash  bytea           PRIMARY KEY CHECK (octet_length(challenge_hash) = 32),
  purpose         text            NOT NULL CHECK (purpose IN ('register', 'login', 'mfa', 'sudo')),
  -- Null: a login by passkey, of any account.
  account_id      bigint          REFERENCES accounts (id) ON DELETE CASCADE,
  -- A challenge of no account takes the place of the one that was handed out 100,000 before it, so that clients that
  -- ask without logging in fill no table.
  slot            integer         UNIQUE,
  expires_at      timestamptz(3)  NOT NULL,
  CONSTRAINT webauthn_challenges_somebody_or_slot CHECK ((account_id IS NULL) = (slot IS NOT NULL))
);
CREATE SEQUENCE webauthn_challenge_slots AS integer MINVALUE 0 MAXVALUE 99999 START 0 CYCLE
  OWNED BY webauthn_challenges.slot;
CREATE INDEX webauthn_challenges_account_id_idx ON webauthn_challenges (account_id);
CREATE INDEX webauthn_challenges_expires_at_idx ON webauthn_challenges (expires_at);

-- ## Logins that are not finished

-- Logins whose password is proven and whose second factor is not.
CREATE TABLE mfa_tickets (
  -- SHA-256.
  ticket_hash  bytea           PRIMARY KEY CHECK (octet_length(ticket_hash) = 32),
  account_id   bigint          NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- Codes offered so far.
  attempts     integer         NOT NULL DEFAULT 0,
  expires_at   timestamptz(3)  NOT NULL
);
CREATE INDEX mfa_tickets_account_id_idx ON mfa_tickets (account_id);
CREATE INDEX mfa_tickets_expires_at_idx ON mfa_tickets (expires_at);

-- Wrong second factors of logins, over all tickets and addresses: a row for each account that had one within the
-- hour.
CREATE TABLE mfa_failures (
  account_id  bigint            PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- The latest, newest first: never more than the budget.
  failed_at   timestamptz(3)[]  NOT NULL,
  -- Until then no second factor is judged.
  held_until  timestamptz(3),
  expires_at  timestamptz(3)    NOT NULL
);
CREATE INDEX mfa_failures_expires_at_idx ON mfa_failures (expires_at);

-- Where an account was registered or logged in from.
CREATE TABLE login_locations (
  account_id     bigint          NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- An IPv4 address or an IPv6 /64, as text.
  network        text            NOT NULL,
  last_login_at  timestamptz(3)  NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network)
);

-- Logins whose password is proven and that wait for their mail to be answered.
CREATE TABLE held_logins (
  -- SHA-256.
  ticket_hash    bytea           PRIMARY KEY CHECK (octet_length(ticket_hash) = 32),
  -- Of the token in the mail; a new mail has a new one, and both are good.
  token_hashes   bytea[]         NOT NULL,
  account_id     bigint          NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  network        text            NOT NULL,
  -- The client that logs in, which every mail names.
  ip             text            NOT NULL,
  user_agent     text            NOT NULL,
  created_at     timestamptz(3)  NOT NULL DEFAULT now(),
  resent_at      timestamptz(3),
  authorized_at  timestamptz(3),
  expires_at     timestamptz(3)  NOT NULL
);
CREATE INDEX held_logins_token_hashes_idx ON held_logins USING gin (token_hashes);
CREATE INDEX held_logins_account_id_idx ON held_logins (account_id);
CREATE INDEX held_logins_expires_at_idx ON held_logins (expires_at);

-- ## Mail

-- What was mailed to somebody to prove that the mailbox is theirs.
CREATE TABLE mail_tokens (
  -- SHA-256; the token itself is nowhere but in the mail.
  token_hash  bytea           PRIMARY KEY CHECK (octet_length(token_hash) = 32),
  purpose     text            NOT NULL CHECK (purpose IN ('verify_email', 'reset_password')),
  account_id  bigint          NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- The address it went to, in lower case: once the account has another, the token is void.
  email_key   text            NOT NULL,
  expires_at  timestamptz(3)  NOT NULL
);
CREATE INDEX mail_tokens_account_id_idx ON mail_tokens (account_id, purpose);
CREATE INDEX mail_tokens_expires_at_idx ON mail_tokens (expires_at);

-- The outbox: mail that is not sent yet, written in the transaction of what it tells of.
CREATE TABLE mails (
  id               bigint          PRIMARY KEY,
  -- Sealed: recipient, template and values, tokens among them.
  letter           bytea           NOT NULL,
  attempts         integer         NOT NULL DEFAULT 0,
  next_attempt_at  timestamptz(3)  NOT NULL DEFAULT now(),
  -- Past this nobody needs it any more.
  expires_at       timestamptz(3)  NOT NULL
);
CREATE INDEX mails_next_attempt_at_idx ON mails (next_attempt_at);
CREATE INDEX mails_expires_at_idx ON mails (expires_at);

-- How often an address that was never verified got mail to verify it, over all accounts.
CREATE TABLE verification_mails (
  -- SHA-256 of the address in lower case: it may belong to somebody who has no account here.
  address_hash  bytea             PRIMARY KEY CHECK (octet_length(address_hash) = 32),
  -- Those of the last day, oldest first: never more than the limit.
  mailed_at     timestamptz(3)[]  NOT NULL,
  expires_at    timestamptz(3)    NOT NULL
);
CREATE INDEX verification_mails_expires_at_idx ON verification_mails (expires_at);

-- ## The trail of security events

-- What happened to whose security. It outlives the account that it tells of.
CREATE TABLE security_events (
  id          bigint          PRIMARY KEY,
  at          timestamptz(3)  NOT NULL DEFAULT now(),
  kind        text            NOT NULL,
  -- Null: nobody's, such as a login under an unknown name.
  account_id  bigint,
  ip          text,
  user_agent  text,
  -- The session that did it.
  session_id  bigint,
  detail      jsonb           NOT NULL DEFAULT '{}'
);
CREATE INDEX security_events_account_id_idx ON security_events (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX security_events_kind_idx ON security_events (kind, id);
CREATE INDEX security_events_at_idx ON security_events (at);

-- ## What other services are to be told

-- Draws a version of a picture, no lower than the clock in microseconds: media ignores a version that is not newer
-- than the one it knows, and a sequence that comes back from a backup is behind.
CREATE SEQUENCE picture_versions;
CREATE FUNCTION next_picture_version() RETURNS bigint LANGUAGE plpgsql AS $$
DECLARE
  own_lock constant bigint := hashtextextended('picture_versions', 0);
  drawn bigint;
BEGIN
  -- For these lines alone, not until the commit.
  PERFORM pg_advisory_lock(own_lock);
  BEGIN
    drawn := GREATEST(nextval('picture_versions'), (extract(epoch FROM clock_timestamp()) * 1000000)::bigint);
    PERFORM setval('picture_versions', drawn);
  EXCEPTION WHEN query_canceled OR OTHERS THEN
    PERFORM pg_advisory_unlock(own_lock);
    RAISE;
  END;
  PERFORM pg_advisory_unlock(own_lock);
  RETURN drawn;
END $$;

-- Changes of avatars and banners that media has not been told of yet
-- (services/media/README.md#who-refers-to-a-picture). They outlive their account.
CREATE TABLE picture_changes (
  -- Drawn while the account's row is held: a later change of it has a higher one.
  version          bigint          PRIMARY KEY DEFAULT next_picture_version(),
  account_id       bigint          NOT NULL,
  slot             text            NOT NULL CHECK (slot IN ('avatar', 'banner')),
  -- Null: there is none now.
  hash             text,
  upload_id        text,
  next_attempt_at  timestamptz(3)  NOT NULL
);
CREATE INDEX picture_changes_account_id_idx ON picture_changes (account_id);
CREATE INDEX picture_changes_next_attempt_at_idx ON picture_changes (next_attempt_at);

-- Accounts that are gone, until oauth2 has ended what it keeps of them.
CREATE TABLE deleted_accounts (
  id               bigint          PRIMARY KEY,
  deleted_at       timestamptz(3)  NOT NULL DEFAULT now(),
  next_attempt_at  timestamptz(3)  NOT NULL DEFAULT now()
);
CREATE INDEX deleted_accounts_next_attempt_at_idx ON deleted_accounts (next_attempt_at);

-- ## The event log

-- What readers are told: which credentials have ended, and whose accounts have changed (docs/events.md#accounts). The
-- log is read as chat's is: along the index where a reader is near its end, and otherwise by IDs.
CREATE TABLE events (
  id             bigint       GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  xact_id        xid8         NOT NULL DEFAULT pg_current_xact_id(),
  type           text         NOT NULL CHECK (type IN ('CREDENTIAL_ENDED', 'USER_UPDATE')),
  account_id     bigint       NOT NULL,
  -- Which session or bot token it was.
  credential_id  bigint,
  created_at     timestamptz  NOT NULL DEFAULT now(),
  CHECK ((type = 'CREDENTIAL_ENDED') = (credential_id IS NOT NULL))
);
CREATE INDEX events_by_xact_and_id ON events (xact_id, id);

-- The one row says what has left the log: the highest transaction of a removed event, and the highest ID of one. It
-- is written by the statement that removes, so a reader that may have missed an event sees it.
CREATE TABLE event_log_horizon (
  singleton  boolean  PRIMARY KEY DEFAULT true CHECK (singleton),
  xact_id    xid8     NOT NULL,
  event_id   bigint   NOT NULL
);
INSERT INTO event_log_horizon (xact_id, event_id) VALUES ('0', 0);

-- Triggers write the events, so that none is missed however a row goes: cascades of a deleted account are among them.
-- They lock no rows, so the order of locks is that of the statements alone.

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
-- A statement that adds or removes a factor has locked the account. With an account its factors end unsaid.
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

-- ## IDs

-- The worker IDs of the replicas that make IDs. A row stays when its lease has ended: the next holder makes no IDs of
-- times up to ids_until_ms.
CREATE TABLE worker_leases (
  worker_id     integer      PRIMARY KEY,
  holder        uuid         NOT NULL,
  leased_until  timestamptz  NOT NULL,
  -- Milliseconds since the Unix epoch.
  ids_until_ms  bigint       NOT NULL
);
