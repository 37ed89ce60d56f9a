import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool } from 'pg';
import type { Records } from './records.ts';

/** Longer than any call takes: what has lapsed was left behind. So long again later its bot is ended. */
const LIFETIME = '1 minute';

/**
 * Holds a place among the owner's applications, and notes that its bot may exist from now on; says no where `max`
 * are taken. Places of one owner are given out one after the other, whichever process asks.
 */
export function reserveApplication(
  db: Pool,
  { id, owner_id, max }: { readonly id: string; readonly owner_id: string; readonly max: number },
): Promise<boolean> {
  return inTransaction(db, async (client) => {
    // A statement sees what was committed before it began: the lock must be one of its own.
    await client.query('SELECT pg_advisory_xact_lock($1)', [owner_id]);
    await client.query('DELETE FROM application_reservations WHERE owner_id = $1 AND expires_at < now()', [
      owner_id,
    ]);
    const { rowCount } = await client.query(
      `WITH reservation AS (
         INSERT INTO application_reservations (id, owner_id, expires_at)
         SELECT $1::bigint, $2::bigint, now() + $3::interval
          WHERE (SELECT count(*) FROM applications WHERE owner_id = $2)
              + (SELECT count(*) FROM application_reservations WHERE owner_id = $2) < $4
         RETURNING id, owner_id, expires_at)
       INSERT INTO unmade_bots (application_id, owner_id, next_attempt_at)
       SELECT id, owner_id, expires_at + $3::interval FROM reservation`,
      [id, owner_id, LIFETIME, max],
    );
    return rowCount === 1;
  });
}

/** Gives a place back. */
export async function deleteReservation(records: Records, id: string): Promise<void> {
  await records.applicationReservation.deleteMany({ where: { id: BigInt(id) } });
}
