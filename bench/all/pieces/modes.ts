import { join } from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { SERVICE_NAMES } from '@gatehouse/proto/services';
import type { Stack } from '@gatehouse/stack/start-stack';
import type { BenchOptions } from '../../bench.ts';
import type { CaseGroup } from '../../load/in-turns.ts';
import type { Fixture } from '../../parts/fixture.ts';

/** How the services of a stack share processes. */
const MODES = ['many processes', 'one process'] as const;
type Mode = (typeof MODES)[number];

/** The connections of each group of cases. The first group warms up the servers for all. */
export const CONNECTIONS = [64, 128, 32, 8, 1] as const;
/** Turns of warm-up of the others. */
export const WARM_TURNS = 1;

export interface ModeStack {
  readonly mode: Mode;
  readonly stack: Stack;
  readonly postgres: EmbeddedPostgres;
}

interface ModeOptions {
  /** For both. Default: each has its own, with fsync on. */
  readonly postgres?: EmbeddedPostgres;
  /** Settings of PostgreSQL. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Settings of the services. */
  readonly env?: NodeJS.ProcessEnv;
}

/** A stack in each mode, with the same settings. */
export async function bothModes(
  fixture: Fixture,
  { say }: Pick<BenchOptions, 'say'>,
  { postgres: shared, settings = {}, env = {} }: ModeOptions = {},
): Promise<ModeStack[]> {
  const stacks: ModeStack[] = [];
  for (const mode of MODES) {
    say(`starting the stack: ${mode}`);
    const folder = join(fixture.folder, mode);
    const postgres = shared ?? (await startEmbeddedPostgres({ dataDir: join(folder, 'database'), settings }));
    if (shared === undefined) fixture.resources.add('postgres', () => postgres.close());
    const stack = await fixture.stack({
      database_url: postgres.url,
      data_dir: join(folder, 'data'),
      shared_processes: mode === 'one process' ? [SERVICE_NAMES] : [],
      env,
    });
    stacks.push({ mode, stack, postgres });
  }
  return stacks;
}

/** The name of a row. */
export function inMode(subject: string, mode: Mode): string {
  return `${subject}, ${mode}`;
}

/** A group for each number of connections. */
export function byConnections(groupAt: (connections: number) => CaseGroup): CaseGroup[] {
  return CONNECTIONS.map((connections) => ({ ...groupAt(connections), connections, warm: WARM_TURNS }));
}
