import { dockerAnswers } from './docker.ts';

const CHOICES = ['containers', 'embedded'];

/**
 * Starts a test's server in a container, depending on TEST_BACKENDS: always for `containers`, never for `embedded`,
 * and if Docker answers when unset.
 *
 * @param what its name: "PostgreSQL"
 * @returns undefined if the server must run otherwise
 * @throws Error if a container is required and cannot be started
 */
export async function inContainer<Server>(
  what: string,
  start: () => Promise<Server>,
): Promise<Server | undefined> {
  const wanted = process.env.TEST_BACKENDS || undefined;
  if (wanted !== undefined && !CHOICES.includes(wanted))
    throw new Error(`TEST_BACKENDS is ${CHOICES.join(' or ')}, not '${wanted}'`);
  if (wanted === 'embedded') return undefined;
  if (!(await dockerAnswers())) {
    if (wanted === undefined) return undefined;
    throw new Error('TEST_BACKENDS=containers needs a Docker engine, and none answers');
  }
  try {
    return await start();
  } catch (error) {
    if (wanted !== undefined)
      throw new Error(`${what}'s container did not start: ${String(error)}`, { cause: error });
    process.stderr.write(`${what}'s container did not start (${String(error)}); going on without it\n`);
    return undefined;
  }
}

/** Whether servers in environment variables are ignored. */
export function onlyContainers(): boolean {
  return process.env.TEST_BACKENDS === 'containers';
}

/** Whether a server can run in a container. */
export async function mayUseDocker(): Promise<boolean> {
  return process.env.TEST_BACKENDS !== 'embedded' && (await dockerAnswers());
}
