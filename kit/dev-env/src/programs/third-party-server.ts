import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { dieWithParent } from '../processes/die-with-parent.ts';
import { until } from '../until.ts';

export interface ServerOptions {
  readonly program: string;
  /** Its configuration, written as JSON, which is valid YAML. */
  readonly configuration: unknown;
  /** @param file path of the configuration @param folder temporary, removed at the end */
  readonly flags: (file: string, folder: string) => string[];
  /** Answers 200 once it serves. */
  readonly ready_url: string;
}

/** Starts a third-party server with its configuration in a temporary folder. Returns the function that stops it. */
export async function startServer(options: ServerOptions): Promise<() => Promise<void>> {
  const { program, configuration, flags, ready_url } = options;
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-server-'));
  const file = join(folder, 'configuration.json');
  await writeFile(file, JSON.stringify(configuration));
  const command = dieWithParent('KILL', program, flags(file, folder));
  const child = spawn(...command, { stdio: ['ignore', 'ignore', 'inherit'] });
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const close = async () => {
    child.kill('SIGKILL');
    await ended;
    await rm(folder, { recursive: true, force: true });
  };
  try {
    await until(`${program} answers`, 30_000, async () => {
      if (child.exitCode !== null) throw new Error(`${program} ended with code ${child.exitCode}`);
      const answer = await fetch(ready_url).catch(() => undefined);
      return answer?.ok || undefined;
    });
  } catch (error) {
    await close();
    throw error;
  }
  return close;
}
