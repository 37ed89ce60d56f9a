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

interface Replica {
  readonly address: string;
  connections: number;
  failed_at_ms: number;
}

const OPEN_TIMEOUT_MS = 10_000;
const SERVICE_UNAVAILABLE = 503;
/** A request without an upgrade: realtime answers 426 while it takes WebSockets. */
const PROBE = Buffer.from('GET /gateway HTTP/1.1\r\nHost: realtime\r\nConnection: close\r\n\r\n');
const UPGRADE_REQUIRED = 426;
/** Time for which a replica that failed is tried last. */
const AVOID_MS = 5_000;
export const KEEP_ALIVE_MS = 60_000;

const SOCKET = {
  allowHalfOpen: true,
  noDelay: true,
  keepAlive: true,
  keepAliveInitialDelay: KEEP_ALIVE_MS,
  /** Bytes that may wait for a replica that does not read. */
  highWaterMark: 16 * 1024,
};

/** The replicas of realtime. */
export class RealtimeReplicas {
  readonly #resolveAll: () => Promise<readonly string[]>;
  readonly #replicas = new Map<string, Replica>();
  #turn = 0;

  /** @param address host:port, or several separated by commas; a host name stands for all its addresses */
  constructor(address: string) {
    this.#resolveAll = addressResolver(address);
  }

  /**
   * Sends the head of a request to the least busy replica, or, if it does not answer or is full, to the next one.
   *
   * @throws SERVICE_UNAVAILABLE, GATEWAY_TIMEOUT
   */
  async open(head: Buffer, gone: AbortSignal): Promise<Upstream> {
    const signal = AbortSignal.any([gone, AbortSignal.timeout(OPEN_TIMEOUT_MS)]);
    let failure: unknown = unavailable(new Error('no address of realtime is known'));
    const replicas = await this.#inOrder();
    for (const [index, replica] of replicas.entries()) {
      const socket = connected(replica);
      try {
        const status = await firstAnswer(socket, head, signal);
        if (status !== SERVICE_UNAVAILABLE || index === replicas.length - 1) return { socket, status };
        socket.destroy();
      } catch (error) {
        if (signal.aborted) throw error;
        failure = error;
      }
      replica.failed_at_ms = performance.now();
    }
    throw failure;
  }

  /** Whether a replica answers in time. */
  async healthy(timeout_ms: number): Promise<boolean> {
    const signal = AbortSignal.timeout(timeout_ms);
    const probe = this.open(PROBE, signal).then(({ socket, status }) => {
      socket.destroy();
      return status === UPGRADE_REQUIRED;
    });
    return (await withTimeout(timeout_ms, probe)) ?? false; // names may take longer to resolve
  }

  /** Least busy first, equals in turn, and replicas that failed recently last. */
  async #inOrder(): Promise<Replica[]> {
    const addresses = await this.#resolveAll();
    for (const [known, { connections }] of this.#replicas)
      if (connections === 0 && !addresses.includes(known)) this.#replicas.delete(known);
    this.#turn = (this.#turn + 1) % Math.max(addresses.length, 1);
    const inTurn = [...addresses.slice(this.#turn), ...addresses.slice(0, this.#turn)];
    const avoidedSince_ms = performance.now() - AVOID_MS;
    const rank = ({ failed_at_ms }: Replica): number => (failed_at_ms > avoidedSince_ms ? 1 : 0);
    return inTurn
      .map((address) => this.#replicaAt(address))
      .sort((a, b) => rank(a) - rank(b) || a.connections - b.connections);
  }

  #replicaAt(address: string): Replica {
    const replica = this.#replicas.get(address) ?? {
      address,
      connections: 0,
      failed_at_ms: Number.NEGATIVE_INFINITY,
    };
    this.#replicas.set(address, replica);
    return replica;
  }
}

function connected(replica: Replica): Socket {
  const socket = connect({ ...hostAndPort(replica.address), ...SOCKET });
  socket.on('error', () => undefined); // `firstAnswer` and `joinSockets` see the close
  replica.connections++;
  socket.once('close', () => replica.connections--);
  return socket;
}
