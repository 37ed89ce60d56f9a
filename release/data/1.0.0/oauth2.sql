-- 0001_baseline.sql

-- Applications, and what users have granted them.

-- ## Applications and their bots

-- Applications. A row is there only when it is whole: its bot exists.
CREATE TABLE applications (
  id                      bigint          PRIMARY KEY,
  owner_id                bigint          NOT NULL,
  name                    text            NOT NULL,
  -- Compared as exact strings.
  redirect_uris           text[]          NOT NULL DEFAULT '{}',
  bot_public              boolean         NOT NULL DEFAULT true,
  bot_require_code_grant  boolean         NOT NULL DEFAULT false,
  -- SHA-256 of the client secret; the secret itself is nowhere.
  client_secret_hash      bytea           NOT NULL CHECK (octet_length(client_secret_hash) = 32),
  created_at              timestamptz(3)  NOT NULL DEFAULT now()
);
CREATE INDEX applications_owner_id_idx ON applications (owner_id, id);

-- Places among an owner's applications, each held while a bot is being made. One that was left behind by a process
-- that died lapses by itself.
CREATE TABLE application_reservations (
  id          bigint          PRIMARY KEY,
  owner_id    bigint          NOT NULL,
  expires_at  timestamptz(3)  NOT NULL
);
CREATE INDEX application_reservations_owner_id_idx ON application_reservations (owner_id);

-- Bots that were asked for at auth, until their application is made. The application of a row that is past its time
-- was never made: auth may have the bot, which nobody will use, and it is to be ended.
CREATE TABLE unmade_bots (
  application_id   bigint          PRIMARY KEY,
  owner_id         bigint          NOT NULL,
  -- When to end it: later than the application can be made.
  next_attempt_at  timestamptz(3)  NOT NULL
);
CREATE INDEX unmade_bots_next_attempt_at_idx ON unmade_bots (next_attempt_at);

-- Bots whose application was deleted, until they are gone from auth and from chat.
CREATE TABLE ended_bots (
  application_id   bigint          PRIMARY KEY,
  owner_id         bigint          NOT NULL,
  ended_at         timestamptz(3)  NOT NULL DEFAULT now(),
  next_attempt_at  timestamptz(3)  NOT NULL
);
CREATE INDEX ended_bots_next_attempt_at_idx ON ended_bots (next_attempt_at);

-- ## Grants
--
-- Of codes and tokens there is only the SHA-256: the value itself is nowhere. The transactions that issue or revoke
-- tokens of a user for an application take turns, by an advisory lock on the two (src/store/grant-lock.ts): a
-- revocation finds what an exchange has issued, or the exchange finds nothing to consume. The indexes by application,
-- account and time find the oldest of too many, which end.

-- Authorization codes that were not exchanged; an exchange deletes its code.
CREATE TABLE authorization_codes (
  code_hash              bytea           PRIMARY KEY CHECK (octet_length(code_hash) = 32),
  application_id         bigint          NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id             bigint          NOT NULL,
  -- In alphabetical order.
  scopes                 text[]          NOT NULL,
  -- The exact string that the exchange must name.
  redirect_uri           text            NOT NULL,
  code_challenge         text,
  code_challenge_method  text            CHECK (code_challenge_method IN ('S256', 'plain')),
  created_at             timestamptz(3)  NOT NULL DEFAULT now(),
  CHECK ((code_challenge IS NULL) = (code_challenge_method IS NULL))
);
CREATE INDEX authorization_codes_grant_idx ON authorization_codes (account_id, application_id, created_at);
CREATE INDEX authorization_codes_application_id_idx ON authorization_codes (application_id);
-- For the retention job, where codes have a lifetime.
CREATE INDEX authorization_codes_created_at_idx ON authorization_codes (created_at);

-- Access tokens, live or expired; a revoked one is gone.
CREATE TABLE access_tokens (
  id              bigint          PRIMARY KEY,
  token_hash      bytea           NOT NULL CHECK (octet_length(token_hash) = 32),
  application_id  bigint          NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id      bigint          NOT NULL,
  -- In alphabetical order.
  scopes          text[]          NOT NULL,
  created_at      timestamptz(3)  NOT NULL DEFAULT now(),
  expires_at      timestamptz(3)  NOT NULL,
  CONSTRAINT access_tokens_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX access_tokens_grant_idx ON access_tokens (account_id, application_id, created_at, id);
CREATE INDEX access_tokens_application_id_idx ON access_tokens (application_id);
CREATE INDEX access_tokens_expires_at_idx ON access_tokens (expires_at);

-- Refresh tokens that were not exchanged; an exchange deletes its token.
CREATE TABLE refresh_tokens (
  id              bigint          PRIMARY KEY,
  token_hash      bytea           NOT NULL CHECK (octet_length(token_hash) = 32),
  application_id  bigint          NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id      bigint          NOT NULL,
  -- In alphabetical order.
  scopes          text[]          NOT NULL,
  created_at      timestamptz(3)  NOT NULL DEFAULT now(),
  CONSTRAINT refresh_tokens_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX refresh_tokens_grant_idx ON refresh_tokens (account_id, application_id, created_at, id);
CREATE INDEX refresh_tokens_application_id_idx ON refresh_tokens (application_id);

-- Codes and refresh tokens that were exchanged, so that a replay is known. Rows are written only while
-- OAUTH2_REVOKE_ON_REPLAY is on, by the statement that consumes.
CREATE TABLE consumed_grants (
  grant_hash      bytea           PRIMARY KEY CHECK (octet_length(grant_hash) = 32),
  application_id  bigint          NOT NULL REFERENCES applications (id) ON DELETE CASCADE,
  account_id      bigint          NOT NULL,
  expires_at      timestamptz(3)  NOT NULL
);
CREATE INDEX consumed_grants_account_id_idx ON consumed_grants (account_id, application_id);
CREATE INDEX consumed_grants_application_id_idx ON consumed_grants (application_id);
CREATE INDEX consumed_grants_expires_at_idx ON consumed_grants (expires_at);

-- When a user's grants to an application were revoked last, for as long as a consent that began before may be in
-- progress: its code is not stored then (src/store/insert-code.ts). Microseconds, by the database's clock.
CREATE TABLE grant_revocations (
  account_id      bigint       NOT NULL,
  application_id  bigint       NOT NULL,
  revoked_at      timestamptz  NOT NULL,
  expires_at      timestamptz  NOT NULL,
  PRIMARY KEY (account_id, application_id)
);
CREATE INDEX grant_revocations_expires_at_idx ON grant_revocations (expires_at);

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

TRUNCATE applications, access_tokens, application_reservations, authorization_codes, consumed_grants, ended_bots, grant_revocations, refresh_tokens, schema_migration, unmade_bots, worker_leases;

INSERT INTO applications ("id", "owner_id", "name", "redirect_uris", "bot_public", "bot_require_code_grant", "client_secret_hash", "created_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817949412474880', '1575817943798710272', 'Clock', '{http://127.0.0.1:9/callback}', 'true', 'false', E'\\xe573680628d2e1ec6f1e115f914434b7181ef190842e5381f6b16916769cc87c', '2026-11-27 10:17:56.499+00');

INSERT INTO access_tokens ("id", "token_hash", "application_id", "account_id", "scopes", "created_at", "expires_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817950784012288', E'\\x38178990f18276783e916b54d55cf3516bde5855b673e4aa57fcc5eb337c98de', '1575817949412474880', '1575817944624988160', '{email,identify}', '2026-11-27 10:17:56.768+00', '2026-12-04 10:17:56.768+00');

INSERT INTO authorization_codes ("code_hash", "application_id", "account_id", "scopes", "redirect_uri", "code_challenge", "code_challenge_method", "created_at") OVERRIDING SYSTEM VALUE VALUES
  (E'\\xd7f8e08c2e3474bd2777e1249345e58fe20669b24c078458ed53f59f0dc0fee0', '1575817949412474880', '1575817943798710272', '{bot}', 'http://127.0.0.1:9/callback', NULL, NULL, '2026-11-27 10:17:56.61+00');

INSERT INTO refresh_tokens ("id", "token_hash", "application_id", "account_id", "scopes", "created_at") OVERRIDING SYSTEM VALUE VALUES
  ('1575817950784012289', E'\\x2848d348550cb918841a03f39676f73ea7d7c39227b39505c64d076b153dac97', '1575817949412474880', '1575817944624988160', '{email,identify}', '2026-11-27 10:17:56.768+00');

INSERT INTO schema_migration ("name", "checksum", "applied_at") OVERRIDING SYSTEM VALUE VALUES
  ('0001_baseline.sql', '40c99e3838541e81b8adb2745fbc1e094a0279a7ae302321922a5abffe210889', '2026-11-27 10:17:53.312336+00');

INSERT INTO worker_leases ("worker_id", "holder", "leased_until", "ids_until_ms") OVERRIDING SYSTEM VALUE VALUES
  ('676', '5bef3d3c-fabd-4963-9b39-88dfaa43c8c5', '2026-11-27 10:17:56.791787+00', '1795774676748');

