import type { Pool } from 'pg';

/** Maximum events that one statement removes. */
export const REMOVAL_EVENTS = 1000;

/**
 * Removes events older than `minutes`, lowest IDs first, and updates the horizon in the same statement. Returns
 * undefined if another replica is removing events.
 *
 * An event stays while a transaction that began before it may still run, so cursors from now on never miss an event.
 */
export async function removeEvents(db: Pool, minutes: number): Promise<number | undefined> {
  const { rows } = await db.query<{ removed: number }>({
    name: 'remove_events',
    text: `
      WITH turn AS (SELECT singleton FROM event_log_horizon FOR UPDATE SKIP LOCKED),
      page AS (
        SELECT id, xact_id, created_at FROM events ORDER BY id LIMIT ${REMOVAL_EVENTS}
      ), removed AS (
        DELETE FROM events
        USING page, turn
        WHERE events.id = page.id AND page.created_at < now() - make_interval(mins => $1)
          AND page.xact_id < pg_snapshot_xmin(pg_current_snapshot())
        RETURNING events.id, events.xact_id
      )
      UPDATE event_log_horizon AS horizon
      SET xact_id = GREATEST(horizon.xact_id, (SELECT xact_id FROM removed ORDER BY xact_id DESC LIMIT 1)),
        event_id = GREATEST(horizon.event_id, (SELECT max(id) FROM removed))
      FROM turn
      WHERE horizon.singleton = turn.singleton
      RETURNING (SELECT count(*)::integer FROM removed) AS removed`,
    values: [minutes],
  });
  return rows[0]?.removed;
}
