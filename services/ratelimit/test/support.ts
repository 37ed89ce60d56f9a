import { fileURLToPath } from 'node:url';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Connection, connect, type Transport } from '@gatehouse/kit/rpc';
import type { Charge, CheckRequest, CheckResponse, Denial } from '@gatehouse/proto/ratelimit';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { type Config, readConfig } from '../src/config.ts';
import { type Overrides, start } from '../src/start.ts';

export const BUILT_IN_RULES = fileURLToPath(import.meta.resolve('@gatehouse/proto/buckets.json'));
const CONFIG: Config = {
  ...readConfig({ LOG_LEVEL: 'silent' }),
  listen: '127.0.0.1:0',
  rate_limits: true,
  max_buckets: 10_000,
  redis_url: undefined,
  redis_timeout_ms: 25,
  replicas: 1,
  key_secret: undefined,
  rules_file: BUILT_IN_RULES,
};
/** For services that share a Redis. */
export const KEY_SECRET = 'a secret of at least thirty-two characters';
export const LONG_TIMEOUT = { timeoutMs: 10_000 };

export type ChargeTuple = readonly [bucket: string, identities: string[], cost?: number];
export type Peer = Connection<typeof RatelimitServiceDefinition>;

export interface Served {
  readonly peer: Peer;
  readonly service: Running;
  close(): Promise<void>;
}

/** A service of its own, and a connection to it. */
export async function startRatelimit(
  config: Partial<Config> = {},
  overrides: Overrides = {},
  transport: Transport = 'stream',
): Promise<Served> {
  const service = await start({ ...CONFIG, ...config }, { log: silentLogger, ...overrides });
  const peer = peerOf(service, transport);
  return {
    peer,
    service,
    close: async () => {
      peer.close();
      await service.close();
    },
  };
}

export function peerOf(service: Running, transport: Transport = 'stream'): Peer {
  return connect(RatelimitServiceDefinition, { address: service.address, transport });
}

export function charges(named: readonly ChargeTuple[]): Charge[] {
  return named.map(([bucket, identities, cost]) => ({ bucket, identities, cost: cost ?? null }));
}

export function request(...sets: (readonly ChargeTuple[])[]): CheckRequest {
  return { sets: sets.map((set) => ({ charges: charges(set) })) };
}

export function check(peer: Peer, ...sets: (readonly ChargeTuple[])[]): Promise<CheckResponse> {
  return peer.client.check(request(...sets), LONG_TIMEOUT);
}

export async function denialOf(
  peer: Peer,
  ...sets: (readonly ChargeTuple[])[]
): Promise<Denial | null | undefined> {
  return (await check(peer, ...sets)).denial;
}

/** Polls until the condition holds; fails after the timeout. */
export async function until(ask: () => Promise<boolean> | boolean, within_ms = 10_000): Promise<void> {
  const giveUpAt = performance.now() + within_ms;
  while (!(await ask())) {
    if (performance.now() > giveUpAt) throw new Error(`the condition did not hold within ${within_ms} ms`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
