/** Runs one side of a check as a process: `server`, `client HOST:PORT`, or `both`, which call each other directly. */

import { freePort } from '@gatehouse/dev-env/free-port';
import { silentLogger } from '@gatehouse/kit/log';
import { localServers } from '@gatehouse/kit/rpc/direct/local-servers';
import type { ChargeSet } from '@gatehouse/proto/ratelimit';
import { readConfig } from '@gatehouse/ratelimit/config';
import { start } from '@gatehouse/ratelimit/start';
import { connectRateLimits, type RateLimits } from '@gatehouse/ratelimit-kit-client';

/** What the process has used so far. */
export interface Usage {
  /** Heap and buffers in use: what was allocated between two figures, if no garbage was collected between them. */
  readonly allocated_bytes: number;
  readonly cpu_us: number;
}

/** Makes `checks` checks, `in_flight` at a time, and answers the usage after them. */
export interface Order {
  readonly checks: number;
  readonly in_flight: number;
  /** Collects garbage before. */
  readonly collects?: boolean;
}

const ACCOUNTS = 100_000;
const FIRST_ID = 1_400_000_000_000_000_000n;
const ENV = { RATELIMIT_MAX_BUCKETS: '2000000', LOG_LEVEL: 'error' };
/** Longer than a first check on a busy machine takes: no check is decided without ratelimit. */
const TIMEOUT_MS = 30_000;

const limits = await open(process.argv[2] ?? '', process.argv[3] ?? '');
let next = 0;

process.on('disconnect', () => process.exit()); // the bench is gone
process.on('message', (order: Order) => {
  void run(order).then(() => process.send?.(usage()));
});

async function open(side: string, address: string): Promise<RateLimits | undefined> {
  const timeout = { lists_buckets: false, timeout_ms: TIMEOUT_MS };
  if (side === 'client') {
    process.send?.('connected');
    return connectRateLimits(address, timeout);
  }
  const config = { ...readConfig(ENV), listen: `127.0.0.1:${await freePort()}` };
  const servers = localServers();
  const running = await start(config, { log: silentLogger, ...(side === 'both' && { local: servers }) });
  process.send?.(running.address);
  if (side !== 'both') return undefined;
  return connectRateLimits(running.address, { ...timeout, local: { servers, name: 'gateway' } });
}

async function run({ checks, in_flight, collects = false }: Order): Promise<void> {
  if (collects) globalThis.gc?.();
  let left = checks;
  const work = async (): Promise<void> => {
    while (left-- > 0) {
      const denial = await limits?.check(setsOf(next++ % ACCOUNTS), '0d9f4c1e-58a1-4a6b-9a57-1f3f3c2b7a10');
      if (denial !== undefined) throw new Error(`${denial.bucket} denies`);
    }
  };
  await Promise.all(Array.from({ length: checks === 0 ? 0 : in_flight }, work));
}

/** The check of GET /channels/{channel_id}/messages with a session: the global bucket, then the route's. */
function setsOf(n: number): ChargeSet[] {
  const id = FIRST_ID + BigInt(n);
  return [
    { charges: [{ bucket: 'global', identities: [`credential:1:${id}`] }] },
    {
      charges: [
        { bucket: 'channel:messages:read', identities: [`account:${id}`, 'channel:1423344334333440001'] },
      ],
    },
  ];
}

function usage(): Usage {
  const { heapUsed, external } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return { allocated_bytes: heapUsed + external, cpu_us: user + system };
}
