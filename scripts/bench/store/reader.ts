/** A process that reads accounts by their key, one way: `reader.ts sql|prisma DATABASE_URL SECONDS`. Prints its figures. */

import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { openPool } from '@gatehouse/kit/db/pool';
import type { Pool } from 'pg';

type Read = (id: string) => Promise<unknown>;

const WAYS: Readonly<Record<string, (db: Pool) => Promise<Read>>> = { sql, prisma };
const AT_A_TIME = 8;
const WARM_SECONDS = 2;

const [way = '', database_url = '', seconds] = process.argv.slice(2);
const open = WAYS[way];
if (open === undefined) throw new Error(`unknown way; there are ${Object.keys(WAYS).join(', ')}`);
const db = openPool({ database_url, application_name: 'bench', max: AT_A_TIME });
const read = await open(db);
await read('1');
const first_answer_ms = performance.now();
const rss_mb = settledRss();
await readFor(WARM_SECONDS);
const figures = await readFor(Number(seconds));
console.log(JSON.stringify({ first_answer_ms, rss_mb, ...figures, rss_after_mb: settledRss() }));
await db.end();

async function sql(db: Pool): Promise<Read> {
  const text = `SELECT id, owner_id, name, redirect_uris, bot_public, bot_require_code_grant, created_at
                  FROM applications WHERE id = $1`;
  return async (id) => {
    const { rows } = await db.query({ name: 'find_application', text, values: [id] });
    return rows[0];
  };
}

/** As the service reads it. */
async function prisma(db: Pool): Promise<Read> {
  const { openRecords } = await import('../../../services/oauth2/src/store/records.ts');
  const records = openRecords(db);
  return (id) =>
    records.application.findUnique({ where: { id: BigInt(id) }, omit: { client_secret_hash: true } });
}

async function readFor(seconds: number): Promise<{ per_second: number; cpu_us: number }> {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const end = startedAt + seconds * 1000;
  let count = 0;
  const work = async (): Promise<void> => {
    for (let n = 1; performance.now() < end; n = (n % 1000) + 1) {
      if ((await read(String(n))) == null) throw new Error(`application ${n} is missing`);
      count++;
    }
  };
  await Promise.all(Array.from({ length: AT_A_TIME }, work));
  const { user, system } = process.cpuUsage(before);
  return { per_second: (count * 1000) / (performance.now() - startedAt), cpu_us: (user + system) / count };
}

/** Megabytes, once the collector has been by. */
function settledRss(): number {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect === 'function') collect();
  return process.memoryUsage.rss() / 2 ** 20;
}
