import type { Pool } from 'pg';
import { requireSnapshot, type Snapshot } from './snapshot.ts';

/** The columns of an event that every log has. */
export interface LoggedEvent {
  readonly id: string;
  readonly type: string;
  /** JSON text, in logs that have it. */
  readonly payload?: string;
}

/** The events that became visible between two snapshots. */
export interface EventBatch<E extends LoggedEvent> {
  readonly seen: Snapshot;
  readonly upTo: Snapshot;
  readonly events: readonly E[];
}

/** The limits up to which events have been removed. */
export interface Horizon {
  /** The highest transaction of a removed event. */
  readonly xact_id: bigint;
  /** The highest ID of a removed event. */
  readonly event_id: bigint;
}

export interface NewEvents<E extends LoggedEvent> {
  /** The snapshot of the statement itself. */
  readonly seen: Snapshot;
  /** All events that are visible in it and were not in the one before, by ID. Undefined if they exceed a page. */
  readonly events: readonly E[] | undefined;
}

/**
 * Reads the tables of an event log: `events`, with the primary key `id` and an index on (`xact_id`, `id`), and
 * `event_log_horizon`, which has one row.
 */
export interface EventTable<E extends LoggedEvent> {
  current(): Promise<Snapshot>;
  /** Reads the events that became visible since a snapshot. */
  newEvents(since: Snapshot): Promise<NewEvents<E>>;
  /** Finds the lowest ID of the events that became visible since a snapshot. */
  floor(since: Snapshot): Promise<{ floor: bigint | undefined; removed: Horizon }>;
  /** Reads the events after an ID that are visible in `upTo` and not in `since`, along the primary key. */
  page(since: Snapshot, upTo: Snapshot, after: string): Promise<{ events: E[]; removed: Horizon }>;
}

/** Maximum events that one statement reads: 48 MiB, with the longest messages. */
export const PAGE_EVENTS = 256;

/** The approximate size of an event. */
export function charactersOf({ payload = '' }: LoggedEvent): number {
  return payload.length + ROW_CHARACTERS;
}

const ROW_CHARACTERS = 64;

/** @param columns the select list that makes an E of a row of `events`; it contains `id` */
export function eventTable<E extends LoggedEvent>(db: Pool, columns: string): EventTable<E> {
  return {
    current: () => readCurrentSnapshot(db),
    newEvents: (since) => readNewEvents<E>(db, columns, since),
    floor: (since) => readFloor(db, since),
    page: (since, upTo, after) => readPage<E>(db, columns, since, upTo, after),
  };
}

async function readCurrentSnapshot(db: Pool): Promise<Snapshot> {
  const { rows } = await db.query<{ seen: string }>({
    name: 'current_snapshot',
    text: 'SELECT pg_current_snapshot()::text AS seen',
  });
  return requireSnapshot(rows[0]?.seen);
}

/**
 * Transactions are invisible in a snapshot from `xmax` on, and if they were running. With these two conditions the index
 * finds new events only, however long a transaction holds `xmin` back. The inner ORDER BY forces that index: a generic
 * plan does not know the values, and would expect a third of the table.
 */
async function readNewEvents<E extends LoggedEvent>(
  db: Pool,
  columns: string,
  since: Snapshot,
): Promise<NewEvents<E>> {
  const { rows } = await db.query<E & { seen: string }>({
    name: 'read_news',
    text: `
      SELECT now.seen, new_events.*
      FROM (SELECT pg_current_snapshot()::text AS seen) AS now
        LEFT JOIN LATERAL (
          SELECT ${columns}
          FROM (
            (SELECT * FROM events WHERE xact_id >= $1::xid8 ORDER BY xact_id, id LIMIT ${PAGE_EVENTS + 1})
            UNION ALL
            (SELECT * FROM events WHERE xact_id = ANY($2::xid8[]) ORDER BY xact_id, id LIMIT ${PAGE_EVENTS + 1})
          ) AS fresh
        ) AS new_events ON true
      ORDER BY new_events.id`,
    values: [String(since.xmax), since.running],
  });
  const events = rows.filter(({ id }) => id !== null);
  return {
    seen: requireSnapshot(rows[0]?.seen),
    events: events.length > PAGE_EVENTS ? undefined : events,
  };
}

/** OFFSET 0 makes min(id) use the index. */
async function readFloor(
  db: Pool,
  since: Snapshot,
): Promise<{ floor: bigint | undefined; removed: Horizon }> {
  const { rows } = await db.query<{ floor: string | null; xact_id: string; event_id: string }>({
    name: 'read_event_floor',
    text: `
      SELECT xact_id, event_id, LEAST(
        (SELECT min(id) FROM (SELECT id FROM events WHERE xact_id >= $1::xid8 OFFSET 0) AS later),
        (SELECT min(id) FROM (SELECT id FROM events WHERE xact_id = ANY($2::xid8[]) OFFSET 0) AS running)
      ) AS floor
      FROM event_log_horizon`,
    values: [String(since.xmax), since.running],
  });
  const floor = rows[0]?.floor;
  return { floor: floor == null ? undefined : BigInt(floor), removed: horizonOf(rows[0]) };
}

async function readPage<E extends LoggedEvent>(
  db: Pool,
  columns: string,
  since: Snapshot,
  upTo: Snapshot,
  after: string,
): Promise<{ events: E[]; removed: Horizon }> {
  const { rows } = await db.query<E & { removed_xact_id: string; removed_event_id: string }>({
    name: 'read_event_page',
    text: `
      SELECT horizon.xact_id AS removed_xact_id, horizon.event_id AS removed_event_id, page.*
      FROM event_log_horizon AS horizon
        LEFT JOIN LATERAL (
          SELECT ${columns}
          FROM events
          WHERE id > $1 AND NOT pg_visible_in_snapshot(xact_id, $2::pg_snapshot)
            AND pg_visible_in_snapshot(xact_id, $3::pg_snapshot)
          ORDER BY id
          LIMIT ${PAGE_EVENTS}
        ) AS page ON true
      ORDER BY page.id`,
    values: [after, since.text, upTo.text],
  });
  const [first] = rows;
  const removed = first && { xact_id: first.removed_xact_id, event_id: first.removed_event_id };
  return { events: rows.filter(({ id }) => id !== null), removed: horizonOf(removed) };
}

function horizonOf(row: { xact_id: string; event_id: string } | undefined): Horizon {
  if (row === undefined) throw new Error('event_log_horizon has no row');
  return { xact_id: BigInt(row.xact_id), event_id: BigInt(row.event_id) };
}
