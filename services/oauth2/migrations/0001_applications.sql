-- An application is a row only when it is whole: its bot exists.
CREATE TABLE applications (
  id bigint PRIMARY KEY,
  owner_id bigint NOT NULL,
  name text NOT NULL,
  -- Compared as exact strings.
  redirect_uris text[] NOT NULL DEFAULT '{}',
  bot_public boolean NOT NULL DEFAULT true,
  bot_require_code_grant boolean NOT NULL DEFAULT false,
  -- SHA-256 of the client secret; the secret itself is nowhere.
  client_secret_hash bytea NOT NULL CHECK (octet_length(client_secret_hash) = 32),
  created_at timestamptz(3) NOT NULL DEFAULT now()
);
CREATE INDEX applications_owner_id_idx ON applications (owner_id, id);

-- A place among the owner's applications, held while the bot is being made. One that was left behind
-- by a process that died lapses by itself.
CREATE TABLE application_reservations (
  id bigint PRIMARY KEY,
  owner_id bigint NOT NULL,
  expires_at timestamptz(3) NOT NULL
);
CREATE INDEX application_reservations_owner_id_idx ON application_reservations (owner_id);
