import { describe, expect, it } from 'vitest';
import { AdmissionQueue } from '../../src/overload/admission-queue.ts';
import type { ClientConnection, Exchange } from '../../src/overload/client-connection.ts';

const CONNECTIONS = 1_000;
const EACH = 3;

/** A connection that sends this many requests, one whenever it may be parsed. */
function sending(name: string, count: number, queue: () => AdmissionQueue): ClientConnection {
  let left = count;
  const connection = {
    socket: { destroyed: false },
    waiting: [] as Exchange[],
    started: 0,
    isQueued: false,
    resume: () => {
      if (left === 0 || !queue().mayParse(connection)) return;
      left--;
      connection.waiting.push({ request: name, response: connection } as unknown as Exchange);
      queue().enqueue(connection);
      connection.resume();
    },
  } as unknown as ClientConnection;
  return connection;
}

describe('simultaneous requests of a thousand connections', () => {
  it('all start, and no connection’s second request starts before a waiting connection’s first', async () => {
    const started: string[] = [];
    let mostWaiting = 0;
    const queue: AdmissionQueue = new AdmissionQueue({
      max_pipelined_requests: 2,
      start: ({ request, response }) => {
        mostWaiting = Math.max(
          mostWaiting,
          connections.reduce((sum, one) => sum + one.waiting.length, 0),
        );
        started.push(String(request));
        const connection = response as unknown as ClientConnection;
        setImmediate(() => {
          connection.started--;
          queue.enqueue(connection);
          connection.resume();
        });
      },
    });
    const connections = Array.from({ length: CONNECTIONS }, (_, index) =>
      sending(String(index), EACH, () => queue),
    );
    for (const one of connections) one.resume();
    await expect.poll(() => started.length).toBe(CONNECTIONS * EACH);
    expect(mostWaiting).toBeLessThan(CONNECTIONS / 2);
    expect(new Set(started).size).toBe(CONNECTIONS);
    const lastFirst = Math.max(...connections.map((_, index) => started.indexOf(String(index))));
    expect(lastFirst).toBeLessThan(CONNECTIONS + CONNECTIONS / 2);
  });
});
