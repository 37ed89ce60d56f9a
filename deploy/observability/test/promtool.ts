import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { aptProgram } from '@gatehouse/dev-env/programs/apt';

const run = promisify(execFile);
const program = await aptProgram('promtool', 'prometheus');

/** For describe.skipIf. */
export const promtoolIsMissing = program === undefined;

const FOLDER = fileURLToPath(new URL('..', import.meta.url));

/**
 * Runs promtool in deploy/observability.
 * @throws Error with its output if it finds a fault
 */
export async function promtool(...args: string[]): Promise<string> {
  if (program === undefined) throw new Error('there is no promtool: see above');
  const { stdout } = await run(program, args, { cwd: FOLDER });
  return stdout;
}
