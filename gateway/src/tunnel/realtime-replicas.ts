import { lookup } from 'node:dns/promises';
import { connect, isIP, type Socket } from 'node:net';
import { deadlineExceeded, unavailable } from '@gatehouse/kit/fault';
import { hostAndPort } from '@gatehouse/kit/host-port';
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
const RESOLVE_AGAIN_AFTER_MS = 1_000;
export const KEEP_ALIVE_MS = 60_000;

/** `address` is host:port, or several separated by commas; a host name stands for all its addresses. */
export function realtimeReplicas(address: string): RealtimeReplicas {
  const targets = [...new Set(address.split(',').map((target) => target.trim()))];
  const replicas = new Map<string, Replica>();
  let turn = 0;
  let resolved: Promise<string[]> | undefined;

  async function open(head: Buffer, signal: AbortSignal): Promise<Upstream> {
    const until_ms = performance.now() + WITHIN_MS;
    let failure: unknown = unavailable(new Error('no address of realtime is known'));
    for (const replica of await inOrder()) {
      if (performance.now() > until_ms) throw deadlineExceeded(failure);
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
    const socket = connect({
      ...hostAndPort(replica.address),
      allowHalfOpen: true,
      noDelay: true,
      keepAlive: true,
      keepAliveInitialDelay: KEEP_ALIVE_MS,
    });
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

  return { open };
}

/** None for a name that cannot be resolved. */
async function addressesOf(target: string): Promise<string[]> {
  const { host, port } = hostAndPort(target);
  if (isIP(host) !== 0) return [target];
  const addresses = await lookup(host, { all: true }).catch(() => []);
  return addresses.map(({ address, family }) =>
    family === 6 ? `[${address}]:${port}` : `${address}:${port}`,
  );
}
