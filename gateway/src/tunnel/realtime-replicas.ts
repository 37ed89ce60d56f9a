import { connect, type Socket } from 'node:net';
import { unavailable } from '@gatehouse/kit/fault';
import { hostAndPort } from '@gatehouse/kit/net/host-port';
import { addressResolver } from '@gatehouse/kit/net/resolve-addresses';
import { withTimeout } from '@gatehouse/kit/with-timeout';
import { firstAnswer } from './first-answer.ts';

/** A connection to a replica that has begun to answer. */
export interface Upstream {
  readonly socket: Socket;
  readonly status: number;
}

export interface RealtimeReplicas {
  /**
   * Sends the head of a request to the least busy replica, or, where that does not answer or takes no more, to the next.
   *
   * @throws SERVICE_UNAVAILABLE, GATEWAY_TIMEOUT
   */
  open(head: Buffer, signal: AbortSignal): Promise<Upstream>;
  /** Whether a replica answers in time. */
  healthy(timeout_ms: number): Promise<boolean>;
}

interface Replica {
  readonly address: string;
  connections: number;
  failed_at_ms: number;
}

const WITHIN_MS = 10_000;
const TAKES_NO_MORE = 503;
/** Asks for no upgrade: whoever takes WebSockets says that this is one. */
const PROBE = Buffer.from('GET /gateway HTTP/1.1\r\nHost: realtime\r\nConnection: close\r\n\r\n');
const UPGRADE_REQUIRED = 426;
/** So long a replica that failed comes after the others. */
const AVOID_MS = 5_000;
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
  const resolveAll = addressResolver(address);
  const replicas = new Map<string, Replica>();
  let turn = 0;

  async function open(head: Buffer, gone: AbortSignal): Promise<Upstream> {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(WITHIN_MS)]);
    let failure: unknown = unavailable(new Error('no address of realtime is known'));
    const replicas = await inOrder();
    for (const [index, replica] of replicas.entries()) {
      const socket = connected(replica);
      try {
        const status = await firstAnswer(socket, head, signal);
        if (status !== TAKES_NO_MORE || index === replicas.length - 1) return { socket, status };
        socket.destroy();
      } catch (error) {
        if (signal.aborted) throw error;
        failure = error;
      }
      replica.failed_at_ms = performance.now();
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

  async function healthy(timeout_ms: number): Promise<boolean> {
    const signal = AbortSignal.timeout(timeout_ms);
    const probe = open(PROBE, signal).then(({ socket, status }) => {
      socket.destroy();
      return status === UPGRADE_REQUIRED;
    });
    return (await withTimeout(timeout_ms, probe)) ?? false; // names may take longer to resolve
  }

  return { open, healthy };
}
