import { gather } from '@gatehouse/kit/rpc';
import type { AdmissionQueue, AdmissionQueueOptions } from '../../../gateway/src/overload/admission-queue.ts';
import type { ClientConnection } from '../../../gateway/src/overload/client-connection.ts';

/** Starts all requests that have come once the sockets that are ready were read. */
export function admissionQueue({ max_pipelined_requests, start }: AdmissionQueueOptions): AdmissionQueue {
  let queue: ClientConnection[] = [];
  let scheduled = false;

  function enqueue(connection: ClientConnection): void {
    if (connection.isQueued || connection.waiting.length === 0) return;
    if (connection.started >= max_pipelined_requests) return;
    connection.isQueued = true;
    queue.push(connection);
    if (scheduled) return;
    scheduled = true;
    setImmediate(startAll);
  }

  function startAll(): void {
    scheduled = false;
    gather();
    const connections = queue;
    queue = [];
    for (const connection of connections) {
      connection.isQueued = false;
      const arrived = connection.waiting.shift();
      if (arrived === undefined || connection.socket.destroyed) continue;
      connection.started++;
      start(arrived);
      enqueue(connection);
    }
  }

  return { enqueue, mayParse: () => true };
}
