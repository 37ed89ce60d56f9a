import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dockerAnswers } from '@gatehouse/dev-env/programs/docker';

/** Containers cannot run; the message says what is missing. */
export class NoEngine extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'NoEngine';
  }
}

/** The compose command: docker's plug-in, or the older program. */
export async function composeCommand(): Promise<readonly [string, ...string[]]> {
  if (!(await dockerAnswers()))
    throw new NoEngine('no Docker engine answers: start one, or set DOCKER_HOST to where it is');
  if (spawnSync('docker', ['compose', 'version']).status === 0) return ['docker', 'compose'];
  if (spawnSync('docker-compose', ['version']).status === 0) return ['docker-compose'];
  throw new NoEngine('a Docker engine answers, but there is neither docker compose nor docker-compose');
}

/**
 * Runs a program, with its output on standard error. Ctrl-C does not reach it.
 *
 * @param interrupted ends it
 * @throws Error if it fails; the signal's reason if that aborted
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
    detached: true, // Outside the terminal's process group, so that a removal is not interrupted.
  });
  const end = () => child.kill('SIGINT');
  interrupted?.addEventListener('abort', end);
  const [code, signal] = await once(child, 'close').finally(() =>
    interrupted?.removeEventListener('abort', end),
  );
  interrupted?.throwIfAborted();
  if (code !== 0) throw new Error(`${command.join(' ')} failed (${signal ?? `exit code ${code}`})`);
}
