import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { databaseUrl } from '@gatehouse/kit/db/pool';
import type { BenchOptions } from '../bench.ts';
import { takeTurns } from '../load/turns.ts';
import { withFixture } from '../parts/fixture.ts';
import { figuresOf } from '../report/figure.ts';
import { populateApplications } from './applications.ts';

const READER = fileURLToPath(new URL('reader.ts', import.meta.url));
const TITLE = 'a read of applications';
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
export async function store(options: BenchOptions): Promise<undefined> {
  const ways = Object.entries(WAYS).filter(([name]) => options.wants(TITLE, name));
  if (ways.length === 0) return;
  await withFixture(async (fixture) => {
    const postgres = await fixture.postgres();
    const database_url = databaseUrl(postgres.url, 'oauth2');
    await populateApplications(database_url);
    const measured = new Map<string, Figures[]>(ways.map(([name]) => [name, []]));
    await takeTurns(TITLE, { warm: 0, counted: options.rounds }, options, async () => {
      for (const [name, way] of ways)
        measured.get(name)?.push(await reader(way, database_url, options.seconds));
    });
    const rows = [...measured].map(([name, turns]) => ({ name, figures: figuresOf(turns) }));
    options.report({ title: TITLE, rows });
  });
}

type Figures = Readonly<Record<string, number>>;

async function reader(way: string, database_url: string, seconds: number): Promise<Figures> {
  const args = [...process.execArgv, READER, way, database_url, String(seconds)];
  const { stdout } = await promisify(execFile)(process.execPath, args);
  return JSON.parse(stdout) as Figures; // the reader's output
}
