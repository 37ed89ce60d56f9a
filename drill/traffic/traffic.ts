import { Agent, request as httpRequest } from 'node:http';
import type { DrillRequest } from './mix.ts';

/** A request that was not answered as it should have been. */
export interface Failure {
  readonly kind: string;
  /** Its status, or what became of the connection. */
  readonly answer: string;
  /** When it was sent and when it ended, by performance.now(). */
  readonly sentAt: number;
  readonly endedAt: number;
}

export interface Traffic {
  readonly failures: readonly Failure[];
  /** How many were sent. */
  sent(): number;
  /** The latencies since the last call, in milliseconds, sorted. */
  takeLatencies(): number[];
  /** Sends no more, and waits for those under way. */
  stop(): Promise<void>;
}

const GIVE_UP_MS = 30_000;
const TICK_MS = 10;

/** Sends so many requests a second, however long answers take. */
export function traffic(url: string, requests: Iterator<DrillRequest, never>, per_second: number): Traffic {
  const agent = new Agent({ keepAlive: true, maxSockets: 1_000, scheduling: 'fifo' });
  const failures: Failure[] = [];
  const under_way = new Set<Promise<void>>();
  const startedAt = performance.now();
  let latencies: number[] = [];
  let sent = 0;

  function sendOne(): void {
    const asked = requests.next().value;
    const sentAt = performance.now();
    sent++;
    const done = send(url, agent, asked).then((answer) => {
      const endedAt = performance.now();
      latencies.push(endedAt - sentAt);
      if (answer !== String(asked.expected)) failures.push({ kind: asked.kind, answer, sentAt, endedAt });
      under_way.delete(done);
    });
    under_way.add(done);
  }

  const timer = setInterval(() => {
    const due = ((performance.now() - startedAt) / 1000) * per_second;
    while (sent < due) sendOne();
  }, TICK_MS);

  return {
    failures,
    sent: () => sent,
    takeLatencies: () => {
      const taken = latencies.sort((a, b) => a - b);
      latencies = [];
      return taken;
    },
    stop: async () => {
      clearInterval(timer);
      await Promise.all(under_way);
      agent.destroy();
    },
  };
}

function send(url: string, agent: Agent, { method, path, headers, body }: DrillRequest): Promise<string> {
  return new Promise((resolve) => {
    const request = httpRequest(
      `${url}${path}`,
      { method, agent, headers: { ...headers, 'content-length': Buffer.byteLength(body) } },
      (response) => {
        response.once('error', (error) => resolve(error.message)).resume();
        response.once('end', () => resolve(String(response.statusCode)));
      },
    );
    request.setTimeout(GIVE_UP_MS, () => request.destroy(new Error('no answer')));
    request.once('error', (error) => resolve(error.message));
    request.end(body);
  });
}
