import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '@gatehouse/dev-env/postgres/embedded-postgres';
import { dieWithParent } from '@gatehouse/dev-env/processes/die-with-parent';
import type { Resources } from '@gatehouse/kit/lifecycle';

const START = fileURLToPath(new URL('../../scripts/start.ts', import.meta.url));

export interface StartedStack {
  readonly url: string;
  readonly pid: number;
  readonly postgres: EmbeddedPostgres;
}

/** Runs `npm start` with these settings on a PostgreSQL of its own. `resources` ends both. */
export async function npmStart(
  env: NodeJS.ProcessEnv,
  folder: string,
  resources: Resources,
): Promise<StartedStack> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'database') });
  resources.add('postgres', () => postgres.close());
  const args = ['--disable-warning=ExperimentalWarning', START];
  const child = spawn(...dieWithParent('TERM', process.execPath, args), {
    env: {
      ...process.env,
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      DATABASE_URL: postgres.url,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  resources.add('stack', () => end(child));
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^ready (http\S+)$/.exec(line)?.[1];
    if (url !== undefined) return { url, pid: child.pid ?? 0, postgres };
  }
  throw new Error('the stack did not start');
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGTERM');
  await once(child, 'exit');
}
