import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import type { BenchOptions } from '../bench.ts';
import { medians } from '../load/load.ts';
import { withFixture } from '../parts/fixture.ts';
import { populateApplications } from './applications.ts';

const READER = fileURLToPath(new URL('reader.ts', import.meta.url));
const WAYS = {
  'prepared SQL': 'sql',
  Prisma: 'prisma',
  'Prisma, statements not prepared': 'unprepared',
} as const;

/**
 * Compares the Prisma client with prepared SQL: milliseconds from the process's start to the open client and from there
 * to the first response, resident megabytes at both times, and CPU per read: by key, alone and eight at a time, and of
 * a page. Each way runs in a new process in each round.
 */
export async function store({ rounds, seconds, say }: BenchOptions): Promise<Record<string, unknown>> {
  return withFixture(async (fixture) => {
    const postgres = await fixture.postgres();
    const database_url = databaseUrl(postgres.url, 'oauth2');
    await populateApplications(database_url);
    const measured = new Map<string, Figures[]>(Object.keys(WAYS).map((name) => [name, []]));
    for (let round = 1; round <= rounds; round++) {
      for (const [name, way] of Object.entries(WAYS)) {
        measured.get(name)?.push(await reader(way, database_url, seconds));
      }
      say(`round ${round} of ${rounds}`);
    }
    return Object.fromEntries([...measured].map(([name, figures]) => [name, medians(figures, oneDecimal)]));
  });
}

type Figures = Readonly<Record<string, number>>;

async function reader(way: string, database_url: string, seconds: number): Promise<Figures> {
  const args = [...process.execArgv, READER, way, database_url, String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Figures; // the reader's output
}

function oneDecimal(value: number): number {
  return Math.round(value * 10) / 10;
}
