import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dockerAnswers } from '@gatehouse/dev-env/programs/docker';

/** There is nothing to run containers with; the message says what is missing. */
export class NoEngine extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoEngine';
  }
}

/** The command that reads compose files: docker's plug-in, or the older program of its own. */
export async function composeCommand(): Promise<readonly [string, ...string[]]> {
  if (!(await dockerAnswers()))
    throw new NoEngine('no Docker engine answers: start one, or set DOCKER_HOST to where it is');
  if (spawnSync('docker', ['compose', 'version']).status === 0) return ['docker', 'compose'];
  if (spawnSync('docker-compose', ['version']).status === 0) return ['docker-compose'];
  throw new NoEngine('a Docker engine answers, but there is neither docker compose nor docker-compose');
}

/**
 * Runs a program whose output is progress: it goes to standard error. Ctrl-C does not reach it.
 *
 * @param interrupted ends it
 * @throws Error when it fails; the signal's reason once that has aborted
 */
export async function show(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  interrupted?: AbortSignal,
): Promise<void> {
  interrupted?.throwIfAborted();
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    env: { ...process.env, ...env },
    stdio: ['ignore', 2, 2],
    detached: true, // out of the terminal's group: what removes things must come to its end
  });
  const end = () => child.kill('SIGINT');
  interrupted?.addEventListener('abort', end);
  const [code, signal] = await once(child, 'close').finally(() =>
    interrupted?.removeEventListener('abort', end),
  );
  interrupted?.throwIfAborted();
  if (code !== 0) throw new Error(`${command.join(' ')} failed (${signal ?? `exit code ${code}`})`);
}
