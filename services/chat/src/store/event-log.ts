import type { Pool } from 'pg';
import { requireSnapshot, type Snapshot } from '../events/snapshot.ts';

/** An event as it is in the log. */
export interface StoredEvent {
  readonly id: string;
  readonly type: string;
  readonly account_ids: readonly string[] | null;
  readonly channel_id: string | null;
  readonly guild_id: string | null;
  /** JSON text. */
  readonly payload: string;
  /** ISO 8601. */
  readonly created_at: string;
}

/** What has been removed. */
export interface Horizon {
  /** The highest transaction of a removed event. */
  readonly xact_id: bigint;
  /** The highest ID of one. */
  readonly event_id: bigint;
}

/** Most events that one statement reads. */
export const PAGE_EVENTS = 1000;

const COLUMNS = `id, type, account_ids, channel_id, guild_id, payload::text AS payload,
  to_char(created_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS created_at`;

export async function readCurrentSnapshot(db: Pool): Promise<Snapshot> {
  const { rows } = await db.query<{ seen: string }>({
    name: 'current_snapshot',
    text: 'SELECT pg_current_snapshot()::text AS seen',
  });
  return requireSnapshot(rows[0]?.seen);
}

export interface News {
  /** The statement's own snapshot. */
  readonly seen: Snapshot;
  /** All events that are visible in it and were not in the one before, by ID; undefined: more than a page. */
  readonly events: readonly StoredEvent[] | undefined;
}

/**
 * What is new since a snapshot. Invisible in it are exactly the transactions from its `xmax` on and those that ran: so
 * the index leads to new events alone, however long some transaction keeps `xmin` back. The inner ORDER BY makes that
 * index the only way: a plan that does not know the values would else expect a third of the table.
 */
export async function readNews(db: Pool, since: Snapshot): Promise<News> {
  const { rows } = await db.query<StoredEvent & { seen: string }>({
    name: 'read_news',
    text: `
      SELECT now.seen, news.*
      FROM (SELECT pg_current_snapshot()::text AS seen) AS now
        LEFT JOIN LATERAL (
          SELECT ${COLUMNS}
          FROM (
            (SELECT * FROM events WHERE xact_id >= $1::xid8 ORDER BY xact_id, id LIMIT ${PAGE_EVENTS + 1})
            UNION ALL
            (SELECT * FROM events WHERE xact_id = ANY($2::xid8[]) ORDER BY xact_id, id LIMIT ${PAGE_EVENTS + 1})
          ) AS fresh
        ) AS news ON true
      ORDER BY news.id`,
    values: [String(since.xmax), since.running],
  });
  const events = rows.filter(({ id }) => id !== null);
  return {
    seen: requireSnapshot(rows[0]?.seen),
    events: events.length > PAGE_EVENTS ? undefined : events,
  };
}

/** The lowest ID among what is new since a snapshot; undefined when nothing is. OFFSET 0 keeps min(id) to that index. */
export async function readFloor(
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

/** Events after an ID that are visible in `upTo` and not in `since`, by ID: along the primary key. */
export async function readPage(
  db: Pool,
  since: Snapshot,
  upTo: Snapshot,
  after: string,
): Promise<{ events: StoredEvent[]; removed: Horizon }> {
  const { rows } = await db.query<StoredEvent & { removed_xact_id: string; removed_event_id: string }>({
    name: 'read_event_page',
    text: `
      SELECT horizon.xact_id AS removed_xact_id, horizon.event_id AS removed_event_id, page.*
      FROM event_log_horizon AS horizon
        LEFT JOIN LATERAL (
          SELECT ${COLUMNS}
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
