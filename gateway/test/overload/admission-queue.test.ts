import { describe, expect, it } from 'vitest';
import { type AdmissionQueue, admissionQueue } from '../../src/overload/admission-queue.ts';
import type { Arrived, ClientConnection } from '../../src/overload/client-connection.ts';

const CONNECTIONS = 1_000;
const EACH = 3;

/** A connection that has so many requests to bring, one whenever it may. */
function bringing(name: string, count: number, queue: () => AdmissionQueue): ClientConnection {
  let left = count;
  const connection = {
    socket: { destroyed: false },
    waiting: [] as Arrived[],
    begun: 0,
    hasTurn: false,
    resume: () => {
      if (left === 0 || !queue().mayBring(connection)) return;
      left--;
      connection.waiting.push({ request: name, response: connection } as unknown as Arrived);
      queue().offer(connection);
      connection.resume();
    },
  } as unknown as ClientConnection;
  return connection;
}

describe('requests of a thousand connections at once', () => {
  it('wait with their clients, and all begin: nobody’s second before anybody’s first that is held back', async () => {
    const begun: string[] = [];
    let mostWaiting = 0;
    const queue: AdmissionQueue = admissionQueue({
      max_pipelined_requests: 2,
      begin: ({ request, response }) => {
        mostWaiting = Math.max(
          mostWaiting,
          connections.reduce((sum, one) => sum + one.waiting.length, 0),
        );
        begun.push(String(request));
        const connection = response as unknown as ClientConnection;
        setImmediate(() => {
          connection.begun--;
          queue.offer(connection);
          connection.resume();
        });
      },
    });
    const connections = Array.from({ length: CONNECTIONS }, (_, index) =>
      bringing(String(index), EACH, () => queue),
    );
    for (const one of connections) one.resume();
    await expect.poll(() => begun.length).toBe(CONNECTIONS * EACH);
    expect(mostWaiting).toBeLessThan(CONNECTIONS / 2);
    expect(new Set(begun).size).toBe(CONNECTIONS);
    const lastFirst = Math.max(...connections.map((_, index) => begun.indexOf(String(index))));
    expect(lastFirst).toBeLessThan(CONNECTIONS + CONNECTIONS / 2);
  });
});
