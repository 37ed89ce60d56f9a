import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { execFileAsync } from '@gatehouse/dev-env/programs/exec-file';
import type { GhzResult } from '../all/peers/ghz.ts';

const SOURCE = fileURLToPath(new URL('stream-load', import.meta.url));

/** Builds the load generator of CheckStream. Returns its path. */
export async function buildStreamLoad(folder: string): Promise<string> {
  const program = join(folder, 'stream-load-program');
  await execFileAsync('go', ['build', '-o', program, '.'], { cwd: SOURCE });
  return program;
}

/** One second of checks of many callers on one stream. */
export async function streamLoad(program: string, address: string, callers: number): Promise<GhzResult> {
  const { stdout } = await execFileAsync(program, ['--address', address, '--callers', String(callers)]);
  return JSON.parse(stdout) as GhzResult;
}
