-- For the retention job: the invites that have been used as often as they may be.
CREATE INDEX invites_used_up_idx ON invites (code) WHERE max_uses > 0 AND uses >= max_uses;
