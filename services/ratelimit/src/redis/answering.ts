import { Cluster, type Redis } from 'ioredis';
import { TooLate } from '../deadline.ts';
import { refusalOf, UnservableRedis } from './probe.ts';

/** Slower nodes of a cluster are not waited for. */
const NODE_MS = 300;

/**
 * Resolves when commands can be sent.
 *
 * @throws UnservableRedis if the server refuses the connection, TooLate if there is none in time
 */
export async function answering(client: Redis | Cluster, within_ms: number): Promise<void> {
  await ready(client, within_ms);
  if (client instanceof Cluster) {
    await Promise.allSettled(client.nodes('master').map((node) => ready(node, NODE_MS)));
  }
}

function ready(client: Redis | Cluster, within_ms: number): Promise<void> {
  if (client.status === 'ready') return Promise.resolve();
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => settle(() => reject(new TooLate(within_ms))), within_ms);
    client.on('ready', succeed);
    client.on('error', refuse);

    function succeed(): void {
      settle(resolve);
    }
    /** Another attempt follows a transient error. */
    function refuse(error: unknown): void {
      const reason = refusalOf(error);
      if (reason !== undefined) settle(() => reject(new UnservableRedis(reason, error)));
    }
    function settle(how: () => void): void {
      clearTimeout(timer);
      client.off('ready', succeed);
      client.off('error', refuse);
      how();
    }
  });
}
