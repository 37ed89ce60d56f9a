-- For the janitor, which looks each minute for claims that no longer hold.
CREATE INDEX deduplication_claims_claimed_at_idx ON deduplication_claims (claimed_at);
