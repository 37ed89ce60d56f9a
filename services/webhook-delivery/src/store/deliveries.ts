import type { Pool } from 'pg';
import type { Delivery, Dialect, Outcome, Reason, TurnedAwayReason } from './delivery.ts';
import { IS_KEPT } from './payloads.ts';

export interface DeliveryRow extends Omit<Delivery, 'status'> {
  readonly at: Date;
  /** Null in rows of earlier versions. */
  readonly status: number | null;
  /** How many executions it stands for. */
  readonly count: number;
  readonly can_be_sent_again: boolean;
}

export interface DeliveryCountRow {
  readonly dialect: Dialect;
  readonly outcome: Outcome;
  readonly reason: Reason;
  readonly count: number;
}

/** Executions that were turned away for the same reason. */
export interface TurnedAway {
  readonly webhook_id: string;
  readonly dialect: Dialect;
  readonly reason: TurnedAwayReason;
  readonly status: number;
  readonly count: number;
}

/** Maximum deliveries of a webhook in each log. Concurrent inserts may exceed it slightly. */
export const MAX_DELIVERIES = 500;
export const MAX_TURNED_AWAY = 100;

/** SQL: the retention of deliveries. */
const A_DAY = "interval '24 hours'";
const THIS_HOUR = "date_trunc('hour', now(), 'UTC')";
const THESE_TEN_MINUTES = "date_bin('10 minutes', now(), 'epoch')";

const COLUMNS =
  'id, webhook_id, dialect, event, outcome, reason, message_id, channel_id, status, origin, retry_of';

/** SQL: the rows of an insert, one array a column. */
const INCOMING = `incoming AS MATERIALIZED (
  SELECT * FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::text[], $6::text[], $7::bigint[],
                       $8::bigint[], $9::smallint[], $10::text[], $11::bigint[]) AS incoming (${COLUMNS}))`;

/** SQL: counts the rows of an insert. Concurrent statements lock rows in the same order. */
const COUNT_INCOMING = countStatement('outcome', 'count(*)');

/** SQL: counts rows of `incoming` in this hour. */
function countStatement(outcome: string, count: string): string {
  return `
    INSERT INTO delivery_counts AS counts (webhook_id, hour, dialect, outcome, reason, count)
    SELECT webhook_id, ${THIS_HOUR}, dialect, ${outcome}, reason, ${count} FROM incoming
     GROUP BY webhook_id, dialect, ${outcome}, reason
     ORDER BY webhook_id, dialect, ${outcome}, reason
        ON CONFLICT (webhook_id, hour, dialect, outcome, reason)
        DO UPDATE SET count = counts.count + excluded.count`;
}

function valuesOf(deliveries: readonly Delivery[]): unknown[] {
  return [
    deliveries.map(({ id }) => id),
    deliveries.map(({ webhook_id }) => webhook_id),
    deliveries.map(({ dialect }) => dialect),
    deliveries.map(({ event }) => event),
    deliveries.map(({ outcome }) => outcome),
    deliveries.map(({ reason }) => reason),
    deliveries.map(({ message_id }) => message_id),
    deliveries.map(({ channel_id }) => channel_id),
    deliveries.map(({ status }) => status),
    deliveries.map(({ origin }) => origin),
    deliveries.map(({ retry_of }) => retry_of),
  ];
}

/** Inserts and counts deliveries that posted a message. Their number is bounded by `trimPosted`. */
export async function insertPosted(db: Pool, deliveries: readonly Delivery[]): Promise<void> {
  await db.query({
    name: 'insert_posted',
    text: `WITH ${INCOMING},
           counted AS (${COUNT_INCOMING})
           INSERT INTO deliveries (${COLUMNS}) SELECT ${COLUMNS} FROM incoming`,
    values: valuesOf(deliveries),
  });
}

/** Deletes the oldest deliveries that posted a message, of each webhook over the maximum. */
export async function trimPosted(db: Pool, webhookIds: readonly string[]): Promise<void> {
  await db.query({
    name: 'trim_posted',
    text: deleteSurplus(
      "SELECT id AS webhook_id, 'posted' AS log, 0 AS added FROM unnest($1::bigint[]) AS id",
      '$2',
    ),
    values: [webhookIds, MAX_DELIVERIES],
  });
}

/**
 * SQL: deletes the oldest rows of logs over the maximum. Concurrent statements lock rows in the same order or skip locked
 * ones, so they cannot deadlock.
 *
 * @param logs SQL that selects webhook_id, log, and how many rows the same statement adds, which it does not see
 */
function deleteSurplus(logs: string, maximum: string): string {
  return `DELETE FROM deliveries WHERE id = ANY (ARRAY(
    SELECT id FROM deliveries
     WHERE id = ANY (ARRAY(
       SELECT surplus.id
         FROM (${logs}) AS full_log
        CROSS JOIN LATERAL (
          SELECT id FROM deliveries AS old WHERE old.webhook_id = full_log.webhook_id AND old.log = full_log.log
           ORDER BY id DESC OFFSET greatest(${maximum} - full_log.added, 0)) AS surplus))
       FOR UPDATE SKIP LOCKED))`;
}

/** Inserts and counts deliveries that posted nothing, and deletes the oldest of each webhook over the maximum. */
export async function insertUnposted(db: Pool, deliveries: readonly Delivery[]): Promise<void> {
  await db.query({
    name: 'insert_unposted',
    text: `WITH ${INCOMING},
           inserted AS (
             INSERT INTO deliveries (${COLUMNS}) SELECT ${COLUMNS} FROM incoming),
           counted AS (${COUNT_INCOMING})
           ${deleteSurplus("SELECT webhook_id, 'unposted' AS log, count(*) AS added FROM incoming GROUP BY webhook_id", '$12')}`,
    values: [...valuesOf(deliveries), MAX_DELIVERIES],
  });
}

/**
 * Counts executions that were turned away, of webhooks that exist. Those of ten minutes share a row. Its ID is the first
 * one's, and `ids` has one for each item.
 */
export async function insertTurnedAway(
  db: Pool,
  turnedAway: readonly TurnedAway[],
  ids: readonly string[],
): Promise<void> {
  await db.query({
    name: 'insert_turned_away',
    text: `WITH incoming AS MATERIALIZED (
             SELECT incoming.* FROM unnest($1::bigint[], $2::bigint[], $3::text[], $4::text[], $5::smallint[], $6::integer[])
                 AS incoming (id, webhook_id, dialect, reason, status, count)
               JOIN webhooks ON webhooks.id = incoming.webhook_id
              ORDER BY webhook_id, dialect, reason),
           inserted AS (
             INSERT INTO deliveries AS turned_away
                    (id, webhook_id, dialect, outcome, reason, status, period, count)
             SELECT id, webhook_id, dialect, 'refused', reason, status, ${THESE_TEN_MINUTES}, count FROM incoming
                 ON CONFLICT (webhook_id, dialect, reason, period) WHERE period IS NOT NULL
                 DO UPDATE SET count = turned_away.count + excluded.count, at = now()),
           counted AS (${countStatement("'turned_away'::text", 'sum(count)')})
           ${deleteSurplus("SELECT DISTINCT webhook_id, 'turned_away' AS log, 0 AS added FROM incoming", '$7')}`,
    values: [
      ids,
      turnedAway.map(({ webhook_id }) => webhook_id),
      turnedAway.map(({ dialect }) => dialect),
      turnedAway.map(({ reason }) => reason),
      turnedAway.map(({ status }) => status),
      turnedAway.map(({ count }) => count),
      MAX_TURNED_AWAY,
    ],
  });
}

/** SQL: a delivery with what its list shows. */
const SHOWN = `${COLUMNS}, at, count, EXISTS (
    SELECT FROM delivery_payloads AS payload
     WHERE payload.delivery_id = deliveries.id AND ${IS_KEPT}) AS can_be_sent_again`;

/** The deliveries of the last 24 hours that posted nothing, newest first. */
export async function findUnposted(db: Pool, webhookId: string, limit: number): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'find_unposted',
    text: `SELECT ${SHOWN} FROM deliveries
            WHERE webhook_id = $1 AND log = 'unposted' AND at > now() - ${A_DAY} ORDER BY id DESC LIMIT $2`,
    values: [webhookId, limit],
  });
  return rows;
}

export interface DeliveryPage {
  readonly webhook_id: string;
  readonly outcome: string | undefined;
  readonly before: string;
  readonly limit: number;
}

/** A page of a webhook's deliveries of the last 24 hours, newest first. */
export async function findDeliveries(
  db: Pool,
  { webhook_id, outcome, before, limit }: DeliveryPage,
): Promise<DeliveryRow[]> {
  const { rows } = await db.query<DeliveryRow>({
    name: 'find_deliveries',
    text: `SELECT ${SHOWN} FROM deliveries
            WHERE webhook_id = $1 AND id < $2 AND ($3::text IS NULL OR outcome = $3) AND at > now() - ${A_DAY}
            ORDER BY id DESC LIMIT $4`,
    values: [webhook_id, before, outcome ?? null, limit],
  });
  return rows;
}

/** Counts of executions that posted nothing, of this hour and the 23 before it, highest first. */
export async function countDeliveries(db: Pool, webhookId: string): Promise<DeliveryCountRow[]> {
  const { rows } = await db.query<DeliveryCountRow>({
    name: 'count_deliveries',
    text: `SELECT dialect, outcome, reason, sum(count)::integer AS count FROM delivery_counts
            WHERE webhook_id = $1 AND hour > ${THIS_HOUR} - ${A_DAY} AND outcome <> ALL ('{posted,turned_away}')
            GROUP BY dialect, outcome, reason
            ORDER BY sum(count) DESC, dialect, outcome, reason`,
    values: [webhookId],
  });
  return rows;
}
