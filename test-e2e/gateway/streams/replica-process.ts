import { connect } from 'node:net';
import { freePort } from '@gatehouse/dev-env/free-port';
import { until } from '@gatehouse/dev-env/until';
import { type Command, runScript } from '../../support/command.ts';
import type { OwnStack } from '../../support/stack.ts';

/** A realtime replica in its own process, restartable at the same ports. */
export interface ReplicaProcess {
  readonly name: string;
  readonly url: string;
  readonly outages: readonly Outage[];
  /** Stops and starts it. Resolves once it serves. */
  restart(signal: 'SIGKILL' | 'SIGTERM'): Promise<void>;
  /** Error lines of its logs, over all restarts. */
  errors(): string[];
  /** Log lines that contain `words`. */
  linesWith(words: string): string[];
  close(): Promise<void>;
}

/** Times of performance.now(). */
export interface Outage {
  readonly kind: 'SIGKILL' | 'SIGTERM';
  readonly from_ms: number;
  /** When it served again; Infinity until then. */
  to_ms: number;
}

const STARTED_WITHIN_MS = 60_000;
const ENDED_WITHIN_MS = 30_000;
/** Log lines of the levels error and fatal. */
const ERROR_LINE = /"level":(?:50|60|"error"|"fatal")/;

/** Starts replicas as peers. */
export async function startReplicaProcesses(
  { running }: OwnStack,
  names: readonly string[],
): Promise<readonly ReplicaProcess[]> {
  const ports = await Promise.all(names.map(async () => ({ rpc: await freePort(), web: await freePort() })));
  const peers = ports.map(({ rpc }) => `127.0.0.1:${rpc}`).join();
  return Promise.all(
    names.map(async (name, index) => {
      const { rpc = 0, web = 0 } = ports[index] ?? {};
      const env = {
        LISTEN: `127.0.0.1:${rpc}`,
        GATEWAY_LISTEN: `127.0.0.1:${web}`,
        REALTIME_PEERS: peers,
        AUTH_ADDRESS: running.addresses.auth ?? '',
        CHAT_ADDRESS: running.addresses.chat ?? '',
      };
      return replicaProcess(name, web, env);
    }),
  );
}

async function replicaProcess(
  name: string,
  port: number,
  env: Record<string, string>,
): Promise<ReplicaProcess> {
  const lives: Command[] = [];
  const outages: Outage[] = [];
  let command = await start();
  let restarting = Promise.resolve();
  let isClosed = false;

  async function start(): Promise<Command> {
    const started = runScript('services/realtime/src/main.ts', [], env);
    lives.push(started);
    let hasEnded = false;
    void started.ended.then(() => {
      hasEnded = true;
    });
    await until(`replica ${name} serves`, STARTED_WITHIN_MS, async () => {
      if (hasEnded) throw new Error(`replica ${name} ended: ${started.stdout()} ${started.stderr()}`);
      return (await listens(port)) || undefined;
    });
    return started;
  }

  async function stop(signal: Outage['kind']): Promise<void> {
    command.kill(signal);
    let hasEnded = false;
    void command.ended.then(() => {
      hasEnded = true;
    });
    await until(`replica ${name} ends`, ENDED_WITHIN_MS, () => hasEnded || undefined);
  }

  async function restart(kind: Outage['kind']): Promise<void> {
    const outage: Outage = { kind, from_ms: performance.now(), to_ms: Number.POSITIVE_INFINITY };
    outages.push(outage);
    await stop(kind);
    command = await start();
    outage.to_ms = performance.now();
  }

  const lines = () => lives.flatMap((life) => `${life.stdout()}\n${life.stderr()}`.split('\n'));
  return {
    name,
    url: `ws://127.0.0.1:${port}/gateway`,
    outages,
    restart: async (kind) => {
      if (isClosed) throw new Error(`replica ${name} is closed`);
      restarting = restart(kind);
      await restarting;
    },
    errors: () => lines().filter((line) => ERROR_LINE.test(line)),
    linesWith: (words) => lines().filter((line) => line.includes(words)),
    close: async () => {
      isClosed = true;
      await restarting.catch(() => undefined);
      await stop('SIGKILL');
    },
  };
}

function listens(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.once('connect', () => {
      socket.destroy();
      resolve(true);
    });
    socket.once('error', () => resolve(false));
  });
}
