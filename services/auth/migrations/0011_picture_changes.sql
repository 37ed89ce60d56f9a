-- Pictures are media's now. What `pictures` still holds is handed over at the next start, after which it is empty.

-- Changes of avatars and banners that media has not been told of yet. They outlive their account.
CREATE SEQUENCE picture_versions;
CREATE TABLE picture_changes (
  -- Drawn while the account's row is held: a later change of it has a higher one.
  version bigint PRIMARY KEY DEFAULT nextval('picture_versions'),
  account_id bigint NOT NULL,
  slot text NOT NULL CHECK (slot IN ('avatar', 'banner')),
  -- Null: there is none now.
  hash text,
  upload_id text,
  next_attempt_at timestamptz(3) NOT NULL
);
CREATE INDEX picture_changes_account_id_idx ON picture_changes (account_id);
CREATE INDEX picture_changes_next_attempt_at_idx ON picture_changes (next_attempt_at);
