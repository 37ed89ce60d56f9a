import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { dockerAnswers } from '@gatehouse/dev-env/docker';

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

/** Runs a program whose output is progress: it goes to standard error. @throws Error when it fails */
export async function show(command: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, { env: { ...process.env, ...env }, stdio: ['ignore', 2, 2] });
  const [code, signal] = await once(child, 'close');
  if (code !== 0) throw new Error(`${command.join(' ')} failed (${signal ?? `exit code ${code}`})`);
}
