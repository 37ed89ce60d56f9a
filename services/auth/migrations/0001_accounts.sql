-- People and bots. A bot's id is its application's.
CREATE TABLE accounts (
  id bigint PRIMARY KEY,
  username text NOT NULL,
  -- The user name in lower case: unique without case.
  username_key text NOT NULL,
  email text,
  -- The address in lower case: unique without case.
  email_key text,
  verified boolean NOT NULL DEFAULT false,
  -- argon2id, PHC string format.
  password_hash text,
  password_changed_at timestamptz(3),
  bot boolean NOT NULL DEFAULT false,
  flags integer NOT NULL DEFAULT 0,
  global_name text,
  avatar text,
  banner text,
  bio text,
  pronouns text,
  -- 0xRRGGBB.
  accent_color integer,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT accounts_username_unique UNIQUE (username_key),
  CONSTRAINT accounts_email_unique UNIQUE (email_key),
  CONSTRAINT accounts_email_has_key CHECK ((email IS NULL) = (email_key IS NULL)),
  CONSTRAINT accounts_bot_cannot_log_in CHECK (NOT bot OR (email IS NULL AND password_hash IS NULL))
);

-- A row is a live session: ending one deletes it.
CREATE TABLE sessions (
  id bigint PRIMARY KEY,
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- SHA-256 of the token; the token itself is nowhere.
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  -- Null: not used since it was made.
  last_used_at timestamptz(3),
  -- The client that made it, as the edge saw it; null where the edge did not say.
  ip text,
  user_agent text,
  CONSTRAINT sessions_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX sessions_account_id_idx ON sessions (account_id);

-- The one live token of each bot.
CREATE TABLE bot_tokens (
  application_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  -- Names this token, not the bot: a new token has a new one.
  id bigint NOT NULL UNIQUE,
  owner_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  -- SHA-256 of the whole token, application ID and all.
  token_hash bytea NOT NULL CHECK (octet_length(token_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  CONSTRAINT bot_tokens_token_hash_unique UNIQUE (token_hash)
);
CREATE INDEX bot_tokens_owner_id_idx ON bot_tokens (owner_id);
