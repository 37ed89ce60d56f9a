-- The trail: what happened to whose security. It outlives the account that it tells of.
CREATE TABLE security_events (
  id bigint PRIMARY KEY,
  at timestamptz(3) NOT NULL DEFAULT now(),
  kind text NOT NULL,
  -- Null: nobody's, such as a login under an unknown name.
  account_id bigint,
  ip text,
  user_agent text,
  -- The session that did it.
  session_id bigint,
  detail jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX security_events_account_id_idx ON security_events (account_id, id) WHERE account_id IS NOT NULL;
CREATE INDEX security_events_kind_idx ON security_events (kind, id);
CREATE INDEX security_events_at_idx ON security_events (at);
