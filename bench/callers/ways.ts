import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { envoyRequests, LIMITS } from '../all/peers/envoy-limits.ts';
import { type GhzMethod, type GhzResult, ghz, SHOULD_RATE_LIMIT } from '../all/peers/ghz.ts';
import type { Server, Servers } from './servers.ts';
import { streamLoad } from './stream-load.ts';

export const CALLERS = 64;
export const PEER = 'envoyproxy/ratelimit, ShouldRateLimit';
/** So many that no bucket denies during a run. */
export const IDENTITIES = 20_000;

const CHECK: GhzMethod = {
  proto: 'gatehouse/ratelimit/v1/ratelimit.proto',
  call: 'gatehouse.ratelimit.v1.RatelimitService.Check',
};

export interface WayTurn extends GhzResult {
  /** The server's processor time for a check. */
  readonly processor_us: number;
}

/** A way to make checks, for a second at a time. */
export interface Way {
  readonly name: string;
  readonly connections: number;
  readonly run: () => Promise<WayTurn>;
}

export interface WaysOptions {
  /** The programs of the load. */
  readonly ghz: string;
  readonly streamLoad: string;
  readonly folder: string;
  readonly servers: Servers;
}

export async function waysOf({ folder, servers: { own, peer }, ...programs }: WaysOptions): Promise<Way[]> {
  const descriptors = join(folder, 'descriptors.json');
  const checks = join(folder, 'checks.json');
  await writeFile(descriptors, JSON.stringify(envoyRequests(IDENTITIES)));
  await writeFile(checks, JSON.stringify(checkRequests()));

  const byGhz = (server: Server, method: GhzMethod, requests: string, connections: number) =>
    timed(server, () =>
      ghz(programs.ghz, { method, address: server.address, callers: CALLERS, connections, requests }),
    );
  const unary = (connections: number): Way[] =>
    [
      { name: PEER, server: peer, method: SHOULD_RATE_LIMIT, requests: descriptors },
      { name: 'ratelimit, ShouldRateLimit', server: own, method: SHOULD_RATE_LIMIT, requests: descriptors },
      { name: 'ratelimit, Check', server: own, method: CHECK, requests: checks },
    ].map(({ name, server, method, requests }) => ({
      name,
      connections,
      run: byGhz(server, method, requests, connections),
    }));
  const stream: Way = {
    name: 'ratelimit, one CheckStream',
    connections: 1,
    run: timed(own, () => streamLoad(programs.streamLoad, own.address, CALLERS)),
  };
  return [...unary(1), stream, ...unary(CALLERS)];
}

function timed(server: Server, run: () => Promise<GhzResult>): () => Promise<WayTurn> {
  return async () => {
    const before = server.processor_us();
    const result = await run();
    return { ...result, processor_us: (server.processor_us() - before) / result.calls };
  };
}

/** Requests of Check for the buckets that `envoyRequests` charges, of other clients and webhooks. */
function checkRequests(): unknown[] {
  return Array.from({ length: IDENTITIES }, (_, n) => ({
    sets: LIMITS.map(({ bucket, key }) => ({ charges: [{ bucket, identities: [`${key}:check:${n}`] }] })),
  }));
}
