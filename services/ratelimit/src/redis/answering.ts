import { Cluster, type Redis } from 'ioredis';
import { TooLate } from '../deadline.ts';
import { refusalOf, UnservableRedis } from './probe.ts';

/** Nodes of a cluster that are slower are left to come when they will. */
const NODE_MS = 300;

/**
 * Resolves when commands can be sent.
 *
 * @throws UnservableRedis when the server refuses the connection, TooLate when there is none in time
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
    /** Errors that pass are followed by another attempt. */
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
