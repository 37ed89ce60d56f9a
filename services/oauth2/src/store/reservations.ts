import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool } from 'pg';
import type { PrismaClient } from './prisma.ts';

/** Longer than any call: an expired reservation was abandoned. Its bot is deleted another RESERVATION_LIFETIME later. */
const RESERVATION_LIFETIME = '1 minute';

/**
 * Reserves one of the `max` applications that an owner can have, and records that its bot may exist from now on. Returns
 * false if none is left. Reservations of one owner are serialized across all processes.
 */
export function reserveApplication(
  db: Pool,
  { id, owner_id, max }: { readonly id: string; readonly owner_id: string; readonly max: number },
): Promise<boolean> {
  return inTransaction(db, async (tx) => {
    // A separate statement, so that it sees everything committed before the lock was granted.
    await tx.query('SELECT pg_advisory_xact_lock($1)', [owner_id]);
    await tx.query('DELETE FROM application_reservations WHERE owner_id = $1 AND expires_at < now()', [
      owner_id,
    ]);
    const { rowCount } = await tx.query(
      `WITH reservation AS (
         INSERT INTO application_reservations (id, owner_id, expires_at)
         SELECT $1::bigint, $2::bigint, now() + $3::interval
          WHERE (SELECT count(*) FROM applications WHERE owner_id = $2)
              + (SELECT count(*) FROM application_reservations WHERE owner_id = $2) < $4
         RETURNING id, owner_id, expires_at)
       INSERT INTO unmade_bots (application_id, owner_id, next_attempt_at)
       SELECT id, owner_id, expires_at + $3::interval FROM reservation`,
      [id, owner_id, RESERVATION_LIFETIME, max],
    );
    return rowCount === 1;
  });
}

/** Releases a reservation. */
export async function deleteReservation(prisma: PrismaClient, id: string): Promise<void> {
  await prisma.applicationReservation.deleteMany({ where: { id: BigInt(id) } });
}
