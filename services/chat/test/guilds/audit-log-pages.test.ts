import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AuditLogQuery } from '../../src/store/audit-log/audit-log.ts';
import { findAuditEntries } from '../../src/store/audit-log/audit-log.ts';
import { openPrisma, type PrismaClient } from '../../src/store/prisma.ts';
import { addGuild, newId } from '../support/guilds.ts';
import { type ChatFixture, startChat } from '../support/start-chat.ts';

const BUSY = '5';
const OTHER = '6';
const MUCH = 31;
const ALSO_MUCH = 20;

let fixture: ChatFixture;
/** The only connection that reads the log, so that PostgreSQL counts its reads. */
let db: pg.Pool;
let prisma: PrismaClient;
let guild_id: string;
let ids: string[];

beforeAll(async () => {
  fixture = await startChat('chat_audit_log_pages');
  db = new pg.Pool({ ...fixture.sql.options, max: 1 });
  // The database is dropped while the server side of the closed connection may still be running.
  db.on('connect', (client) => client.on('error', () => undefined));
  prisma = openPrisma(db);
  ({ guild_id } = await addGuild(fixture));
  ids = Array.from({ length: 100_000 }, newId);
  // The worst case for two filters: an account with many entries, a type with many entries, and one entry with both.
  for (let from = 0; from < ids.length; from += 10_000) {
    await db.query(
      `INSERT INTO audit_log_entries (guild_id, id, action_type, user_id, changes)
       SELECT $1, id, CASE WHEN n % 2 = 0 OR n = 70001 THEN ${ALSO_MUCH} ELSE ${MUCH} END,
         CASE WHEN n % 2 = 0 THEN ${OTHER} ELSE ${BUSY} END, '[]'
       FROM unnest($2::bigint[]) WITH ORDINALITY AS entry(id, place), LATERAL (SELECT place + $3 AS n) AS number`,
      [guild_id, ids.slice(from, from + 10_000), from],
    );
  }
  await db.query('ANALYZE audit_log_entries');
}, 120_000);
afterAll(async () => {
  await prisma.$disconnect();
  await db.end();
  await fixture.close();
});

const NO_FILTER = { user_id: undefined, action_type: undefined };
const NOWHERE = { before: undefined, after: undefined };

describe('for a page of a log with 100,000 entries PostgreSQL reads no more than the page', () => {
  test.each<[string, Pick<AuditLogQuery, 'user_id' | 'action_type'>, full: boolean]>([
    ['without filters', NO_FILTER, true],
    ['by account', { ...NO_FILTER, user_id: BUSY }, true],
    ['by action', { ...NO_FILTER, action_type: ALSO_MUCH }, true],
    ['by both', { user_id: BUSY, action_type: ALSO_MUCH }, false],
    ['of an account without entries', { ...NO_FILTER, user_id: newId() }, false],
  ])('%s', async (_, filter, full) => {
    const middle = ids[50_000];
    const places = [{}, { before: middle }, { after: middle }, { after: '0' }, { before: ids[40] }];
    for (const place of places) {
      const { read, given } = await pageOf({ ...filter, ...NOWHERE, ...place, limit: 10 });
      expect(read, JSON.stringify(place)).toBe(given);
      if (full) expect(given).toBe(10);
    }
  });
});

/** The entries that PostgreSQL read for a page, and those returned. */
async function pageOf(query: AuditLogQuery): Promise<{ read: number; given: number }> {
  const before = await entriesRead();
  const { length: given } = await findAuditEntries(prisma, guild_id, query);
  return { read: (await entriesRead()) - before, given };
}

async function entriesRead(): Promise<number> {
  await db.query('SELECT pg_stat_force_next_flush()');
  const { rows } = await db.query(
    `SELECT seq_tup_read + idx_tup_fetch AS n FROM pg_stat_user_tables WHERE relname = 'audit_log_entries'`,
  );
  return Number(rows[0]?.n);
}
