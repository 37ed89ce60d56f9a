import { setTimeout as sleep } from 'node:timers/promises';
import type { ClientConnection } from './client-connection.ts';
import type { ConnectionSettings } from './connection-settings.ts';

const STEP_MS = 25;
/** Time for clients to answer the last close frames. */
const CLOSE_WITHIN_MS = 1_000;

/**
 * Asks all clients to reconnect, spread evenly over the time, so that they do not reach other replicas at once. The rest of
 * the process's shutdown time is for its sessions: connections that are left are cut, and their clients resume like others.
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
    for (; asked < until; asked++) connections[asked]?.leave();
    if (asked < connections.length) await sleep(Math.min(STEP_MS, spread_ms));
  }
  const deadline = performance.now() + leave_within_ms + CLOSE_WITHIN_MS;
  while (all.size > 0 && performance.now() < deadline) await sleep(STEP_MS);
  for (const connection of [...all]) connection.cut();
}
