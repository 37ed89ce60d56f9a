import { gather } from '@gatehouse/kit/rpc';
import type { AdmissionQueue, AdmissionQueueOptions } from '../../../gateway/src/overload/admission-queue.ts';
import type { ClientConnection } from '../../../gateway/src/overload/client-connection.ts';

/** Begins all requests that have come once the sockets that are ready were read. */
export function admissionQueue({ max_pipelined_requests, begin }: AdmissionQueueOptions): AdmissionQueue {
  let offered: ClientConnection[] = [];
  let scheduled = false;

  function offer(connection: ClientConnection): void {
    if (connection.hasTurn || connection.waiting.length === 0) return;
    if (connection.begun >= max_pipelined_requests) return;
    connection.hasTurn = true;
    offered.push(connection);
    if (scheduled) return;
    scheduled = true;
    setImmediate(beginAll);
  }

  function beginAll(): void {
    scheduled = false;
    gather();
    const connections = offered;
    offered = [];
    for (const connection of connections) {
      connection.hasTurn = false;
      const arrived = connection.waiting.shift();
      if (arrived === undefined || connection.socket.destroyed) continue;
      connection.begun++;
      begin(arrived);
      offer(connection);
    }
  }

  return { offer, mayBring: () => true };
}
