-- 0001_baseline.sql

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

CREATE TABLE IF NOT EXISTS schema_migration (
  name text PRIMARY KEY,
  checksum text NOT NULL,
  applied_at timestamptz NOT NULL DEFAULT now()
);

-- Data

ALTER TABLE accounts DISABLE TRIGGER USER;
ALTER TABLE bot_tokens DISABLE TRIGGER USER;
ALTER TABLE sessions DISABLE TRIGGER USER;
ALTER TABLE totp_factors DISABLE TRIGGER USER;
ALTER TABLE webauthn_credentials DISABLE TRIGGER USER;
TRUNCATE accounts, backup_codes, bot_tokens, deleted_accounts, event_log_horizon, events, held_logins, login_locations, mail_tokens, mails, mfa_failures, mfa_tickets, picture_changes, schema_migration, security_events, sessions, sudo_grants, totp_factors, totp_used_steps, verification_mails, webauthn_challenges, webauthn_credentials, worker_leases;

INSERT INTO accounts ("id", "username", "username_key", "email", "email_key", "verified", "password_hash", "password_changed_at", "bot", "flags", "global_name", "avatar", "banner", "bio", "pronouns", "accent_color", "created_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817943798710272', 'owner', 'owner', 'owner@example.com', 'owner@example.com', 'false', '$argon2id$v=19$m=19456,t=2,p=1$XhswalFeS+MoDyTs85GfdA$TdpnC2R4E1d2eKsYa0xu5rJX6xu43qHdiuSYdP3jggw', '2026-11-27 10:17:55.084+00', 'false', '0', NULL, NULL, NULL, NULL, NULL, NULL, '2026-11-27 10:17:55.084+00'),
  ('1575817944624988160', 'member', 'member', 'member@example.com', 'member@example.com', 'false', '$argon2id$v=19$m=19456,t=2,p=1$eI6kJSnUbPrJWbqqdSH/aA$LbHK8+VdFTgMieOo4TM6u9TDamK1Sn06R+ofy+5eQIA', '2026-11-27 10:17:55.282+00', 'false', '0', NULL, 'ed1ea1fcb5c8a40ac3965a83ae1657bf', NULL, NULL, NULL, NULL, '2026-11-27 10:17:55.282+00'),
  ('1575817949412474880', 'Clock_1575817949412474880', 'clock_1575817949412474880', NULL, NULL, 'false', NULL, NULL, 'true', '0', 'Clock', NULL, NULL, NULL, NULL, NULL, '2026-11-27 10:17:56.49+00');

INSERT INTO backup_codes ("account_id", "code_mac", "code", "position", "consumed_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817944624988160', E'\\x28443b7489b251c8cc073b9f8d80e8211401317d3c7dc5f79956599101258d54', E'\\x66b9ad09b505c61c725af60e11d427ce452e89f646d79fd4d45accb9b0be7bab4bcaba63a2c1d4230cdc', '5', NULL),
  ('1575817944624988160', E'\\x33f4afadbf08012028bc06be7307b4941ee2174a5f2100e8dd3d60ed1bafc634', E'\\x66b9ad09a1443e9ac65b18894e8a14f685e6292082cf877ef36b0c148667839278e3771d00d87c9ab2e4', '4', NULL),
  ('1575817944624988160', E'\\x47d388961fd04498e5e4719f5bee4af844d087d69242395f63b79d6921579fa9', E'\\x66b9ad09a2bfdabe143ac86268d7c5cea6c9b42b36c60d833db49f3c6daf4f69cbdc40e90649167a64dd', '1', NULL),
  ('1575817944624988160', E'\\x47de4813d8e0fc14c0037988b927be19ae76b803356a762c18a32fe9a41b1a04', E'\\x66b9ad091b670a0b966e9210574be438f6d9d38152eb0902351adb11342e49fe429e0f1aeee1b359ad55', '7', NULL),
  ('1575817944624988160', E'\\x5a12e477a3d18cf895fcb49a04958354da923f575662d82d24e7d9a9fb6cd52c', E'\\x66b9ad090869729c5e4820ba6cc91fafc3a31fffb7f270006b37d7fd2828ea621f5a95c324ed145e6f2f', '8', NULL),
  ('1575817944624988160', E'\\x6fb22d0d643031785f72cfd31f1420a3d5855bf859ab762bd36d782a83d703dd', E'\\x66b9ad09f938073d8942230edcffe3761aff17e6e8deddfb1639e914fdf3571fe40525edf393d3475130', '6', NULL),
  ('1575817944624988160', E'\\x925b0cf9bda2b8de2e61f45718a5d74c8a408dba358cf6c2b9229cc2f6f8a25b', E'\\x66b9ad09349dc853eafc5dfc52ea446593ada6786a18687c029f0bf86afabcbc00ae60ebe24cbb98b98d', '10', NULL),
  ('1575817944624988160', E'\\xa401cee43b93c09c403fcfd9b5d14310f7351e3fe479d39ed9464113ccff0468', E'\\x66b9ad095763f3d0944cd3b7abc34e344fd9774a64c9d4ac9f755b7923dfb6601a662e0fc4606b2d4260', '3', NULL),
  ('1575817944624988160', E'\\xa9efa765296dbd84a1388b387ad0f4c74c0a68a395c39ed11889c5b01a0eca22', E'\\x66b9ad09254d3039688ef43b9998fd4958e81858811448ff8fd4c7fc1c9d413bd8f67f8e37e31ef9b63c', '2', NULL),
  ('1575817944624988160', E'\\xf3c416d5bcbfdf1e07fb4ce3ef49c0b73921fe99539579be9ac21310e3136461', E'\\x66b9ad09111d89a5cdc3ac96c4ec83f38081fa90ba2857f7d8c316bdd057cb2f3be4b182b56a26c3b1f4', '9', NULL);

INSERT INTO bot_tokens ("application_id", "id", "owner_id", "token_hash", "created_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817949412474880', '1575817949632987136', '1575817943798710272', E'\\x690c9b3fab7b2facd9c98c7b9b44a8c154b9e744f47d714fedb2d7cc9cdaca1e', '2026-11-27 10:17:56.49+00');

INSERT INTO event_log_horizon ("singleton", "xact_id", "event_id") OVERRIDING SYSTEM VALUE VALUES
  ('true', '0', '0');

INSERT INTO login_locations ("account_id", "network", "last_login_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817943798710272', '127.0.0.1', '2026-11-27 10:17:55.084+00'),
  ('1575817944624988160', '127.0.0.1', '2026-11-27 10:17:55.282+00');

INSERT INTO mail_tokens ("token_hash", "purpose", "account_id", "email_key", "expires_at") OVERRIDING SYSTEM VALUE VALUES
  (E'\\x086e2bb3ae18c7b7c7756607f22b23059b9e82d0ffcb9bc457bf478788cb97c3', 'verify_email', '1575817944624988160', 'member@example.com', '2026-11-28 10:17:55.282+00'),
  (E'\\xe6f04ce973ca0b15588a443d5ccab9b3eaaf9bf74750e183ad8257ee04340b13', 'verify_email', '1575817943798710272', 'owner@example.com', '2026-11-28 10:17:55.084+00');

INSERT INTO schema_migration ("name", "checksum", "applied_at") OVERRIDING SYSTEM VALUE VALUES
  ('0001_baseline.sql', '869af2cf2c7eae229128ea91af00bc37f578a4dfd2dd61e13418bc9d4fc6d616', '2026-11-27 10:17:53.30712+00');

INSERT INTO security_events ("id", "at", "kind", "account_id", "ip", "user_agent", "session_id", "detail") OVERRIDING SYSTEM VALUE VALUES
  ('1575817943849041920', '2026-11-27 10:17:55.084+00', 'account.registered', '1575817943798710272', '127.0.0.1', 'node', NULL, '{"proof": "registration", "session": "1575817943828070400"}'),
  ('1575817945228967936', '2026-11-27 10:17:55.282+00', 'account.registered', '1575817944624988160', '127.0.0.1', 'node', NULL, '{"proof": "registration", "session": "1575817945199607808"}'),
  ('1575817945916833792', '2026-11-27 10:17:55.538+00', 'mfa.totp_enabled', '1575817944624988160', '127.0.0.1', 'node', '1575817945199607808', '{}');

INSERT INTO sessions ("id", "account_id", "token_hash", "created_at", "last_used_at", "ip", "user_agent") OVERRIDING SYSTEM VALUE VALUES
  ('1575817943828070400', '1575817943798710272', E'\\x06268e305fc8d293a335ad90d7c92585f5933526696abcd54a2c8e9c3dc777d9', '2026-11-27 10:17:55.084+00', '2026-11-27 10:17:56.816+00', '127.0.0.1', 'node'),
  ('1575817945199607808', '1575817944624988160', E'\\x7c43530b69a841e3913315040bdf7b60efa17171aeb8da5e61456d55976f703c', '2026-11-27 10:17:55.282+00', '2026-11-27 10:17:56.816+00', '127.0.0.1', 'node');

INSERT INTO totp_factors ("account_id", "secret", "created_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817944624988160', E'\\x66b9ad095209f52490f6d15e1f4d8e4126984e782a0f42c2f75c06871d56a898d39a4e2b6c60dc372a8f70ab877334ea859fd9d85634a552b43768a42f9f712e', '2026-11-27 10:17:55.538+00');

INSERT INTO totp_used_steps ("account_id", "secret_mac", "step", "expires_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817944624988160', E'\\x18c13842346138291f43b6025834b65eb64e6d69d28601a16acfa8df42928e82', '59859155', '2026-11-27 11:17:55.538+00');

INSERT INTO verification_mails ("address_hash", "mailed_at", "expires_at") OVERRIDING SYSTEM VALUE VALUES
  (E'\\x229ba9f7dd9e5a6789a0976ae19925cc6f0525e87e2ae0023c90589f93dab171', '{"2026-11-27 10:17:55.317+00"}', '2026-11-28 10:17:55.317+00'),
  (E'\\x733acc897bd484009920a2706322991eedfa07648ed16dba2be56e634b2bf1e3', '{"2026-11-27 10:17:55.6+00"}', '2026-11-28 10:17:55.6+00'),
  (E'\\xada35f31b1cd7ccc16ce7bf73798924df2289b631678c3b6e50a9e6448f34e6c', '{"2026-11-27 10:17:55.087+00"}', '2026-11-28 10:17:55.087+00');

INSERT INTO worker_leases ("worker_id", "holder", "leased_until", "ids_until_ms") OVERRIDING SYSTEM VALUE VALUES
  ('240', '259d336c-4255-4d60-8ad0-7fb6ba9408ad', '2026-11-27 10:17:56.821389+00', '1795774676474');

SELECT setval('events_id_seq', 2);
SELECT setval('picture_versions', 1795774675983933);
ALTER TABLE accounts ENABLE TRIGGER USER;
ALTER TABLE bot_tokens ENABLE TRIGGER USER;
ALTER TABLE sessions ENABLE TRIGGER USER;
ALTER TABLE totp_factors ENABLE TRIGGER USER;
ALTER TABLE webauthn_credentials ENABLE TRIGGER USER;
