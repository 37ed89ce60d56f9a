-- Operators, what they sign in with, and the log of what they did (services/console/README.md).

-- ## Operators

-- People who may use the console.
CREATE TABLE operators (
  name           text            PRIMARY KEY CHECK (name ~ '^[a-z0-9._-]{1,64}$'),
  role           text            NOT NULL CHECK (role IN ('read', 'support', 'admin')),
  -- Argon2id. A password works only together with TOTP.
  password_hash  text,
  -- Encrypted with CONSOLE_SECRET_KEY.
  totp_secret    bytea,
  -- The step of the last code that was used: a code works once.
  totp_step      bigint          NOT NULL DEFAULT 0,
  created_at     timestamptz(3)  NOT NULL DEFAULT now(),
  last_seen_at   timestamptz(3),
  CHECK ((password_hash IS NULL) = (totp_secret IS NULL))
);

-- Passkeys of operators.
CREATE TABLE passkeys (
  -- The credential's ID in base64url.
  id          text            PRIMARY KEY,
  operator    text            NOT NULL REFERENCES operators (name) ON DELETE CASCADE,
  public_key  bytea           NOT NULL,
  counter     bigint          NOT NULL,
  transports  text[]          NOT NULL,
  created_at  timestamptz(3)  NOT NULL DEFAULT now()
);
CREATE INDEX passkeys_operator_idx ON passkeys (operator);

-- Challenges that an authenticator has to sign, by their SHA-256. Each is used once, within five minutes.
CREATE TABLE challenges (
  challenge_hash  bytea           PRIMARY KEY,
  purpose         text            NOT NULL CHECK (purpose IN ('register', 'sign-in')),
  -- The name for which it was made, which may be nobody's.
  operator        text            NOT NULL,
  created_at      timestamptz(3)  NOT NULL DEFAULT now()
);
CREATE INDEX challenges_created_at_idx ON challenges (created_at);

-- One-time links, by the SHA-256 of their token: one for each operator, valid for an hour.
CREATE TABLE links (
  operator    text            PRIMARY KEY REFERENCES operators (name) ON DELETE CASCADE,
  token_hash  bytea           NOT NULL UNIQUE,
  created_at  timestamptz(3)  NOT NULL DEFAULT now()
);

-- Sessions of browsers, by the SHA-256 of their token.
CREATE TABLE sessions (
  token_hash    bytea           PRIMARY KEY,
  operator      text            NOT NULL REFERENCES operators (name) ON DELETE CASCADE,
  -- The only address from which it works.
  ip            text            NOT NULL,
  -- Opened by a one-time link, to set up how to sign in, and for nothing else.
  enrolling     boolean         NOT NULL,
  -- The TOTP secret that is being set up, encrypted.
  totp_draft    bytea,
  created_at    timestamptz(3)  NOT NULL DEFAULT now(),
  last_used_at  timestamptz(3)  NOT NULL DEFAULT now()
);
CREATE INDEX sessions_operator_idx ON sessions (operator, created_at);
CREATE INDEX sessions_last_used_at_idx ON sessions (last_used_at);

-- Tokens for the command line, by their SHA-256: one for each operator.
CREATE TABLE tokens (
  operator    text            PRIMARY KEY REFERENCES operators (name) ON DELETE CASCADE,
  token_hash  bytea           NOT NULL UNIQUE,
  created_at  timestamptz(3)  NOT NULL DEFAULT now()
);

-- ## The operators' log

-- What operators did: a line for each action, written before it begins. It only grows.
CREATE TABLE actions (
  id        bigint          GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  at        timestamptz(3)  NOT NULL DEFAULT now(),
  -- The name, or "certificate:NAME" for a call of ConsoleService. No reference: lines outlive operators.
  operator  text            NOT NULL,
  role      text            NOT NULL,
  ip        text            NOT NULL,
  -- Such as "account.suspend".
  action    text            NOT NULL,
  -- Such as "account:123".
  target    text            NOT NULL,
  reason    text            NOT NULL,
  -- "started", until the action ends: then "done", or "failed: " and why.
  outcome   text            NOT NULL,
  ended_at  timestamptz(3),
  -- The target before and after, and what else is known.
  before    jsonb,
  after     jsonb,
  detail    jsonb
);
CREATE INDEX actions_operator_idx ON actions (operator, id);

-- A line is completed once, and otherwise stays as it is.
CREATE FUNCTION keep_actions() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
  IF TG_OP = 'UPDATE' THEN
    IF OLD.outcome = 'started' AND NEW.outcome <> 'started'
      AND (OLD.id, OLD.at, OLD.operator, OLD.role, OLD.ip, OLD.action, OLD.target, OLD.reason)
        = (NEW.id, NEW.at, NEW.operator, NEW.role, NEW.ip, NEW.action, NEW.target, NEW.reason)
    THEN RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the operators'' log only grows' USING ERRCODE = 'restrict_violation';
END $$;
CREATE TRIGGER keep_lines BEFORE UPDATE OR DELETE ON actions FOR EACH ROW EXECUTE FUNCTION keep_actions();
CREATE TRIGGER keep_table BEFORE TRUNCATE ON actions FOR EACH STATEMENT EXECUTE FUNCTION keep_actions();
