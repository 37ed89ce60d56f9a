/** Reads applications in one way and prints its figures: `reader.ts sql|prisma|unprepared DATABASE_URL SECONDS`. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openPool } from '@gatehouse/kit/db/pool';
import type { Pool } from 'pg';
import type { PrismaClient } from '../../services/oauth2/src/store/prisma.ts';
import { OWNER_ID, ROWS, ROWS_OF_OWNER } from './applications.ts';

interface Reads {
  byKey(id: number): Promise<unknown>;
  page(): Promise<readonly unknown[]>;
}

const WAYS: Readonly<Record<string, (db: Pool) => Promise<Reads>>> = { sql, prisma, unprepared };
const MOST_AT_A_TIME = 8;
const WARM_SECONDS = 2;

const [way = '', database_url = '', seconds] = process.argv.slice(2);
const open = WAYS[way];
if (open === undefined) throw new Error(`unknown way; there are ${Object.keys(WAYS).join(', ')}`);
const db = openPool({ database_url, application_name: 'bench', max: MOST_AT_A_TIME });
const reads = await open(db);
const byKey = (n: number) => reads.byKey((n % ROWS) + 1);

const opened_ms = performance.now();
const opened_mb = settledMegabytes();
const before = performance.now();
await byKey(0);
const first_read_ms = performance.now() - before;
const read_mb = settledMegabytes();
await cpuOf(byKey, MOST_AT_A_TIME, WARM_SECONDS);
const figures = {
  opened_ms,
  first_read_ms,
  opened_mb,
  read_mb,
  key_us: await cpuOf(byKey, 1, Number(seconds)),
  key_of_8_at_a_time_us: await cpuOf(byKey, MOST_AT_A_TIME, Number(seconds)),
  page_of_50_us: await cpuOf(reads.page, 1, Number(seconds)),
};
console.log(JSON.stringify(figures));
await db.end();

async function sql(db: Pool): Promise<Reads> {
  const columns = 'id, owner_id, name, redirect_uris, bot_public, bot_require_code_grant, created_at';
  const byKey = {
    name: 'find_application',
    text: `SELECT ${columns} FROM applications WHERE id = $1`,
  };
  const page = {
    name: 'find_applications_of',
    text: `SELECT ${columns} FROM applications WHERE owner_id = $1 ORDER BY id LIMIT $2`,
  };
  return {
    byKey: async (id) => (await db.query({ ...byKey, values: [id] })).rows[0],
    page: async () => (await db.query({ ...page, values: [OWNER_ID, ROWS_OF_OWNER] })).rows,
  };
}

/** The Prisma client as services open it. */
async function prisma(db: Pool): Promise<Reads> {
  const { openPrisma } = await import('../../services/oauth2/src/store/prisma.ts');
  return readsOf(openPrisma(db));
}

/** The Prisma client with its defaults: each statement is parsed and planned every time. */
async function unprepared(db: Pool): Promise<Reads> {
  const { PrismaPg } = await import('@prisma/adapter-pg');
  const { PrismaClient } = await import('../../services/oauth2/src/generated/prisma/client.ts');
  return readsOf(new PrismaClient({ adapter: new PrismaPg(db), errorFormat: 'minimal' }));
}

function readsOf({ application }: PrismaClient): Reads {
  const omit = { client_secret_hash: true };
  return {
    byKey: (id) => application.findUnique({ where: { id: BigInt(id) }, omit }),
    page: () =>
      application.findMany({
        where: { owner_id: BigInt(OWNER_ID) },
        orderBy: { id: 'asc' },
        take: ROWS_OF_OWNER,
        omit,
      }),
  };
}

/** CPU of this process per read, in microseconds. */
async function cpuOf(
  read: (n: number) => Promise<unknown>,
  atATime: number,
  seconds: number,
): Promise<number> {
  const before = process.cpuUsage();
  const end = performance.now() + seconds * 1000;
  let count = 0;
  const work = async (): Promise<void> => {
    while (performance.now() < end) {
      if ((await read(count++)) == null) throw new Error('an application is missing');
    }
  };
  await Promise.all(Array.from({ length: atATime }, work));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

/** Resident memory after a garbage collection. */
function settledMegabytes(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage.rss() / 2 ** 20;
}
