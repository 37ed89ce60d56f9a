import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConnection } from './client-connection.ts';
import type { ConnectionSettings } from './connection-settings.ts';

const DRAIN_STEP_MS = 25;
/** Time for clients to answer the last close frames. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * Asks all clients to reconnect, spread evenly over `spread_ms`, so that they do not reach other replicas at once. Then cuts
 * the remaining connections: their clients resume like others. The rest of the shutdown time is for transferring sessions.
 */
export async function drainConnections(
  all: ReadonlySet<ClientConnection>,
  spread_ms: number,
  { leave_within_ms }: Pick<ConnectionSettings, 'leave_within_ms'>,
): Promise<void> {
  const connections = [...all];
  const start = performance.now();
  for (let asked = 0; asked < connections.length; ) {
    const due = spread_ms > 0 ? (performance.now() - start) / spread_ms : 1;
    const until = Math.min(Math.floor(due * connections.length) + 1, connections.length);
    for (; asked < until; asked++) connections[asked]?.askToReconnect();
    if (asked < connections.length) await sleep(Math.min(DRAIN_STEP_MS, spread_ms));
  }
  const deadline = performance.now() + leave_within_ms + CLOSE_WITHIN_MS;
  while (all.size > 0 && performance.now() < deadline) await sleep(DRAIN_STEP_MS);
  for (const connection of [...all]) connection.cut();
}
