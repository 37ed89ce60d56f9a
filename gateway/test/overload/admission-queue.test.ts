import { describe, expect, it } from 'vitest';
import { AdmissionQueue } from '../../src/overload/admission-queue.ts';
import type { ClientConnection, Exchange } from '../../src/overload/client-connection.ts';

const CONNECTIONS = 1_000;
const EACH = 3;

interface SendingConnection extends ClientConnection {
  waitingCount(): number;
  answered(): void;
}

/** A connection that sends this many requests, one whenever it may be parsed. Two may be under way at once. */
function sending(name: string, count: number, queue: () => AdmissionQueue): SendingConnection {
  let left = count;
  let waiting = 0;
  let started = 0;
  const connection = {
    hasWaiting: () => waiting > 0,
    mayStart: () => waiting > 0 && started < 2,
    startNext: () => {
      waiting--;
      started++;
      return { request: name, response: connection } as unknown as Exchange;
    },
    resume: () => {
      if (left === 0 || !queue().hasRoomFor(connection)) return;
      left--;
      waiting++;
      queue().enqueue(connection);
      connection.resume();
    },
    waitingCount: () => waiting,
    answered: () => {
      started--;
      queue().enqueue(connection);
      connection.resume();
    },
  } as unknown as SendingConnection;
  return connection;
}

describe('simultaneous requests of a thousand connections', () => {
  it('all start, and no connection’s second request starts before a waiting connection’s first', async () => {
    const started: string[] = [];
    let mostWaiting = 0;
    const queue: AdmissionQueue = new AdmissionQueue(({ request, response }) => {
      mostWaiting = Math.max(
        mostWaiting,
        connections.reduce((sum, connection) => sum + connection.waitingCount(), 0),
      );
      started.push(String(request));
      const connection = response as unknown as SendingConnection;
      setImmediate(() => connection.answered());
    });
    const connections = Array.from({ length: CONNECTIONS }, (_, index) =>
      sending(String(index), EACH, () => queue),
    );
    for (const connection of connections) connection.resume();
    await expect.poll(() => started.length).toBe(CONNECTIONS * EACH);
    expect(mostWaiting).toBeLessThan(CONNECTIONS / 2);
    expect(new Set(started).size).toBe(CONNECTIONS);
    const lastFirst = Math.max(...connections.map((_, index) => started.indexOf(String(index))));
    expect(lastFirst).toBeLessThan(CONNECTIONS + CONNECTIONS / 2);
  });
});
