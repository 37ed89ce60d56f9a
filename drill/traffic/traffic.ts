import { Agent, request as httpRequest } from 'node:http';
import type { DrillRequest } from './mix.ts';

/** A request with an unexpected answer, or none. Times are from performance.now(). */
export interface Failure {
  readonly kind: string;
  /** The status, or the error of the connection. */
  readonly answer: string;
  readonly sentAt: number;
  readonly endedAt: number;
}

const GIVE_UP_MS = 30_000;
const TICK_MS = 10;

/** Sends requests at a fixed rate, however long answers take. */
export class Traffic {
  readonly failures: Failure[] = [];
  readonly #url: string;
  readonly #requests: Iterator<DrillRequest, never>;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1_000, scheduling: 'fifo' });
  readonly #inFlight = new Set<Promise<void>>();
  readonly #timer: NodeJS.Timeout;
  #latencies: number[] = [];
  #sent = 0;

  constructor(url: string, requests: Iterator<DrillRequest, never>, per_second: number) {
    this.#url = url;
    this.#requests = requests;
    const startedAt = performance.now();
    this.#timer = setInterval(() => {
      const due = ((performance.now() - startedAt) / 1000) * per_second;
      while (this.#sent < due) this.#send();
    }, TICK_MS);
  }

  /** The number of requests sent. */
  get sent(): number {
    return this.#sent;
  }

  /** The latencies since the last call, in milliseconds, sorted. */
  takeLatencies(): number[] {
    const taken = this.#latencies.sort((a, b) => a - b);
    this.#latencies = [];
    return taken;
  }

  /** Stops sending, and waits for the requests in flight. */
  async stop(): Promise<void> {
    clearInterval(this.#timer);
    await Promise.all(this.#inFlight);
    this.#agent.destroy();
  }

  #send(): void {
    const request = this.#requests.next().value;
    const sentAt = performance.now();
    this.#sent++;
    const done = answerOf(this.#url, this.#agent, request).then((answer) => {
      const endedAt = performance.now();
      this.#latencies.push(endedAt - sentAt);
      if (answer !== String(request.expected))
        this.failures.push({ kind: request.kind, answer, sentAt, endedAt });
      this.#inFlight.delete(done);
    });
    this.#inFlight.add(done);
  }
}

function answerOf(url: string, agent: Agent, { method, path, headers, body }: DrillRequest): Promise<string> {
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
