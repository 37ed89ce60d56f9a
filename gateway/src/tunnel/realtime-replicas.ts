import type { LookupAddress } from 'node:dns';
import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { unavailable } from '@gatehouse/kit/fault';
import { hostAndPort } from '@gatehouse/kit/host-port';
import { within } from '@gatehouse/kit/within';
import { firstAnswer } from './first-answer.ts';

/** A connection to a replica that has begun to answer. */
export interface Upstream {
  readonly socket: Socket;
  readonly status: number;
}

export interface RealtimeReplicas {
  /**
   * Sends the head of a request to the least busy replica, or, where that does not answer, to the next.
   *
   * @throws SERVICE_UNAVAILABLE, GATEWAY_TIMEOUT
   */
  open(head: Buffer, signal: AbortSignal): Promise<Upstream>;
}

interface Replica {
  readonly address: string;
  connections: number;
  failed_at_ms: number;
}

const WITHIN_MS = 10_000;
/** So long a replica that failed comes after the others. */
const AVOID_MS = 5_000;
const RESOLVE_WITHIN_MS = 2_000;
const RESOLVE_AGAIN_AFTER_MS = 1_000;
export const KEEP_ALIVE_MS = 60_000;

const SOCKET = {
  allowHalfOpen: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: KEEP_ALIVE_MS,
  /** What may wait for a replica that takes no more. */
  highWaterMark: 16 * 1024,
};

/** `address` is host:port, or several separated by commas; a host name stands for all its addresses. */
export function realtimeReplicas(address: string): RealtimeReplicas {
  const targets = [...new Set(address.split(',').map((target) => target.trim()))];
  const replicas = new Map<string, Replica>();
  let turn = 0;
  let resolved: Promise<string[]> | undefined;
  const lastKnown = new Map<string, string[]>();

  async function open(head: Buffer, gone: AbortSignal): Promise<Upstream> {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(WITHIN_MS)]);
    let failure: unknown = unavailable(new Error('no address of realtime is known'));
    for (const replica of await inOrder()) {
      const socket = connected(replica);
      try {
        return { socket, status: await firstAnswer(socket, head, signal) };
      } catch (error) {
        if (signal.aborted) throw error;
        replica.failed_at_ms = performance.now();
        failure = error;
      }
    }
    throw failure;
  }

  function connected(replica: Replica): Socket {
    const socket = connect({ ...hostAndPort(replica.address), ...SOCKET });
    socket.on('error', () => undefined); // whoever waits for it is told
    replica.connections++;
    socket.once('close', () => replica.connections--);
    return socket;
  }

  /** The least busy first, equals in turn, and those that failed lately last. */
  async function inOrder(): Promise<Replica[]> {
    const addresses = await resolveAll();
    for (const [known, { connections }] of replicas)
      if (connections === 0 && !addresses.includes(known)) replicas.delete(known);
    turn = (turn + 1) % Math.max(addresses.length, 1);
    const inTurn = [...addresses.slice(turn), ...addresses.slice(0, turn)].map(replicaAt);
    const avoided_ms = performance.now() - AVOID_MS;
    const rank = ({ failed_at_ms }: Replica): number => (failed_at_ms > avoided_ms ? 1 : 0);
    return inTurn.sort((one, other) => rank(one) - rank(other) || one.connections - other.connections);
  }

  function replicaAt(at: string): Replica {
    const replica = replicas.get(at) ?? {
      address: at,
      connections: 0,
      failed_at_ms: Number.NEGATIVE_INFINITY,
    };
    replicas.set(at, replica);
    return replica;
  }

  function resolveAll(): Promise<string[]> {
    resolved ??= Promise.all(targets.map(addressesOf)).then((lists) => {
      setTimeout(() => {
        resolved = undefined;
      }, RESOLVE_AGAIN_AFTER_MS).unref();
      return [...new Set(lists.flat())];
    });
    return resolved;
  }

  /** The last known ones while a name cannot be resolved. */
  async function addressesOf(target: string): Promise<string[]> {
    const { host, port } = hostAndPort(target);
    if (isIP(host) !== 0) return [target];
    const found = await within(RESOLVE_WITHIN_MS, lookup(host, { all: true }));
    if (found !== undefined)
      lastKnown.set(
        target,
        found.map((one) => socketAddress(one, port)),
      );
    return lastKnown.get(target) ?? [];
  }

  return { open };
}

function socketAddress({ address, family }: LookupAddress, port: number): string {
  return family === 6 ? `[${address}]:${port}` : `${address}:${port}`;
}
