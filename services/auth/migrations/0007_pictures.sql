-- The avatar and the banner that accounts have now; a picture goes with its account.
CREATE TABLE pictures (
  account_id bigint NOT NULL REFERENCES accounts (id) ON DELETE CASCADE,
  kind text NOT NULL CHECK (kind IN ('avatar', 'banner')),
  -- 32 hex digits, behind "a_" when animated.
  hash text NOT NULL,
  content_type text NOT NULL,
  bytes bytea NOT NULL,
  created_at timestamptz(3) NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, kind)
);
-- Pictures are compressed as they are.
ALTER TABLE pictures ALTER COLUMN bytes SET STORAGE EXTERNAL;
