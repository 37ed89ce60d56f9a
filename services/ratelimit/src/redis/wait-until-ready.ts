import { Cluster, type Redis } from 'ioredis';
import { TimeoutError } from '../or-timeout.ts';
import { refusalOf, UnsuitableRedis } from './probe.ts';

/** Maximum wait for each node of a cluster. */
const NODE_TIMEOUT_MS = 300;

/**
 * Resolves when the client can send commands.
 *
 * @throws UnsuitableRedis if the server refuses the connection, TimeoutError if there is no connection in time
 */
export async function waitUntilReady(client: Redis | Cluster, timeout_ms: number): Promise<void> {
  await ready(client, timeout_ms);
  if (client instanceof Cluster) {
    await Promise.allSettled(client.nodes('master').map((node) => ready(node, NODE_TIMEOUT_MS)));
  }
}

function ready(client: Redis | Cluster, timeout_ms: number): Promise<void> {
  if (client.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new TimeoutError(timeout_ms))), timeout_ms);
    client.on('ready', succeed);
    client.on('error', refuse);

    function succeed(): void {
      settle(resolve);
    }
    /** Another attempt follows a transient error. */
    function refuse(error: unknown): void {
      const reason = refusalOf(error);
      if (reason !== undefined) settle(() => reject(new UnsuitableRedis(reason, error)));
    }
    function settle(how: () => void): void {
      clearTimeout(timer);
      client.off('ready', succeed);
      client.off('error', refuse);
      how();
    }
  });
}
