-- The worker IDs of the replicas that make IDs. A row stays when its lease has ended: the next holder makes no IDs of
-- times up to ids_until_ms.
CREATE TABLE worker_leases (
  worker_id integer PRIMARY KEY,
  holder uuid NOT NULL,
  leased_until timestamptz NOT NULL,
  -- Milliseconds since the Unix epoch.
  ids_until_ms bigint NOT NULL
);
