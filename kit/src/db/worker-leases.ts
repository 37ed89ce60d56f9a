import type { Pool } from 'pg';

/** A range of worker IDs, both ends included. */
export interface WorkerRange {
  readonly from: number;
  readonly to: number;
}

interface Claim {
  readonly holder: string;
  readonly lease_ms: number;
  /** By the clock of the IDs. */
  readonly now_ms: number;
}

interface TakenLease {
  readonly worker: number;
  readonly ids_after_ms: number;
  readonly ids_until_ms: number;
}

/** Takes a free worker ID. Holds no lock between statements, because a replica may stall at any time. */
export async function takeLease(
  db: Pool,
  claim: Claim & { readonly workers: WorkerRange },
): Promise<TakenLease> {
  for (;;) {
    const free = await findFree(db, claim);
    const ids_after_ms = Number(free.ids_until_ms ?? 0);
    const ids_until_ms = Math.max(claim.now_ms, ids_after_ms) + claim.lease_ms;
    const { rowCount } = await db.query(
      `INSERT INTO worker_leases AS lease (worker_id, holder, leased_until, ids_until_ms)
       VALUES ($1, $2, now() + $3 * interval '1 millisecond', $4)
       ON CONFLICT (worker_id) DO UPDATE
         SET holder = excluded.holder, leased_until = excluded.leased_until, ids_until_ms = excluded.ids_until_ms
         WHERE lease.holder = $5 AND lease.ids_until_ms = $6 AND lease.leased_until <= now()`,
      [free.worker, claim.holder, claim.lease_ms, ids_until_ms, free.holder, ids_after_ms],
    );
    if (rowCount === 1) return { worker: free.worker, ids_after_ms, ids_until_ms };
    // Another replica was faster.
  }
}

interface FreeWorker {
  readonly worker: number;
  /** The previous holder, if any. */
  readonly holder: string | null;
  readonly ids_until_ms: string | null;
}

/**
 * Prefers a worker ID whose IDs are all in the past; else new IDs have times in the future. Picks at random among
 * those, because a database that fails over may have lost the latest lease.
 */
async function findFree(
  db: Pool,
  { workers: { from, to }, now_ms }: Claim & { readonly workers: WorkerRange },
): Promise<FreeWorker> {
  const { rows } = await db.query<FreeWorker>(
    `SELECT worker_id AS worker, holder, ids_until_ms
       FROM generate_series($1::integer, $2::integer) AS free (worker_id)
       LEFT JOIN worker_leases USING (worker_id)
      WHERE leased_until IS NULL OR leased_until <= now()
      ORDER BY coalesce(ids_until_ms, 0) > $3, random() LIMIT 1`,
    [from, to, now_ms],
  );
  const [free] = rows;
  if (free === undefined) throw new Error(`all worker IDs from ${from} to ${to} are leased`);
  return free;
}

/** Renews a lease. Returns the new limit for the times of IDs; undefined if the lease belongs to another holder. */
export async function renewLease(
  db: Pool,
  worker: number,
  { holder, lease_ms, now_ms }: Claim,
): Promise<number | undefined> {
  const { rows } = await db.query<{ ids_until_ms: string }>({
    name: 'renew_worker_lease',
    text: `UPDATE worker_leases
              SET leased_until = now() + $3 * interval '1 millisecond', ids_until_ms = greatest(ids_until_ms, $4)
            WHERE worker_id = $1 AND holder = $2
        RETURNING ids_until_ms`,
    values: [worker, holder, lease_ms, now_ms + lease_ms],
  });
  return rows[0] && Number(rows[0].ids_until_ms);
}

interface EndedLease {
  readonly worker: number;
  /** The time of the last ID made with this worker ID. */
  readonly last_ms: number;
}

/** Ends a lease under a random holder, so that a renewal that is still in flight has no effect. */
export async function endLease(db: Pool, { worker, last_ms }: EndedLease, holder: string): Promise<void> {
  await db.query(
    `UPDATE worker_leases SET holder = gen_random_uuid(), leased_until = now(), ids_until_ms = $3
      WHERE worker_id = $1 AND holder = $2`,
    [worker, holder, last_ms],
  );
}
