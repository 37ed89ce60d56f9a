import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@gatehouse/dev-env/until';
import { type Command, runScript } from '../../support/command.ts';
import { LIMITS } from './limits.ts';

export interface Replica extends Command {
  readonly address: string;
}

export interface Replicas {
  readonly addresses: readonly string[];
  close(): Promise<void>;
}

const BUILT_IN = fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json'));

/** Two processes of ratelimit with the limits of limits.ts, on one Redis. */
export async function startReplicas(redis_url: string): Promise<Replicas> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-limits-'));
  const RATELIMIT_RULES_FILE = join(folder, 'limits.json');
  await writeFile(
    RATELIMIT_RULES_FILE,
    JSON.stringify({ ...JSON.parse(await readFile(BUILT_IN, 'utf8')), ...LIMITS }),
  );
  const env = {
    LISTEN: '127.0.0.1:0',
    LOG_LEVEL: 'warn',
    REDIS_URL: redis_url,
    RATELIMIT_KEY_SECRET: 'a secret of at least thirty-two characters',
    RATELIMIT_REPLICAS: '2',
    // A busy machine is no outage.
    REDIS_TIMEOUT_MS: '10000',
    RATELIMIT_RULES_FILE,
  };
  const commands = [startReplica(env), startReplica(env)];
  const replicas = await Promise.all(commands);
  return {
    addresses: replicas.map(({ address }) => address),
    close: async () => {
      for (const replica of replicas) replica.kill('SIGKILL');
      await Promise.all(replicas.map(({ ended }) => ended));
      await rm(folder, { recursive: true });
    },
  };
}

/** Starts ratelimit in a process of its own, with these settings. */
export async function startReplica(env: Record<string, string>): Promise<Replica> {
  const command = runScript('services/ratelimit/src/main.ts', [], env);
  let ended = false;
  void command.ended.then(() => {
    ended = true;
  });
  const address = await until('ratelimit’s address', 60_000, () => {
    if (ended) throw new Error(`ratelimit did not start: ${command.stderr()}`);
    return /listening on (\S+)/.exec(command.stderr())?.[1];
  });
  return { ...command, address };
}
