/**
 * Generates load in a separate process. It writes requests to plain sockets, to use little CPU: on two cores the
 * generator takes CPU from the edge and its services, but hardly from a bare Fastify, which uses one core.
 * autocannon used more CPU per request than a bare Fastify.
 */
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import type { LoadOrder, LoadRequest, LoadResult } from './load.ts';
import { responseReader } from './response-reader.ts';

process.on('disconnect', () => process.exit()); // the bench is gone
process.on('message', (order: LoadOrder) => {
  void run(order).then((result) => process.send?.(result));
});

const ANSWER_WITHIN_MS = 10_000;

/** The responses to one order so far. */
interface Tally {
  readonly countedFrom_ms: number;
  readonly until_ms: number;
  readonly latencies_ms: number[];
  readonly statuses: Record<string, number>;
}

async function run({
  url,
  connections,
  seconds,
  lead_seconds = 0,
  per_second = Number.POSITIVE_INFINITY,
  requests,
}: LoadOrder): Promise<LoadResult> {
  const { hostname, port } = new URL(url);
  const began_ms = performance.now();
  const from_ms = began_ms + lead_seconds * 1000;
  const tally: Tally = {
    countedFrom_ms: from_ms,
    until_ms: from_ms + seconds * 1000,
    latencies_ms: [],
    statuses: {},
  };
  // Each connection sends its own share of the requests, so that no bucket becomes a bottleneck.
  const share = Math.ceil(requests.length / connections);
  const shift = Math.floor(Math.random() * connections);
  const runs = Array.from({ length: connections }, (_, index) => {
    const first = (((index + shift) % connections) * share) % requests.length;
    const sendables = requests.slice(first, first + share).map((request) => sendable(hostname, request));
    const pace = {
      first_ms: began_ms + (index * 1000) / per_second,
      every_ms: (connections * 1000) / per_second,
    };
    const socket = connect({ host: hostname, port: Number(port), noDelay: true });
    return new LoadConnection(socket, sendables, tally, pace).run();
  });
  await Promise.all(runs);

  const { latencies_ms, statuses } = tally;
  const elapsed_seconds = (performance.now() - from_ms) / 1000;
  latencies_ms.sort((a, b) => a - b);
  const at = (quantile: number): number => latencies_ms[Math.floor(latencies_ms.length * quantile)] ?? 0;
  return { per_second: latencies_ms.length / elapsed_seconds, p50_ms: at(0.5), p99_ms: at(0.99), statuses };
}

/** A request, and its handler for the response. */
interface Sendable {
  bytes: Buffer;
  answered(body: string): void;
}

function sendable(host: string, request: LoadRequest): Sendable {
  const { successor, body = '' } = request;
  const one: Sendable = { bytes: encode(host, request), answered: () => undefined };
  if (successor === undefined) return one;
  const [before = '', after = ''] = body.split(successor.replaces);
  one.answered = (answer) => {
    const next = (JSON.parse(answer) as Readonly<Record<string, unknown>>)[successor.member];
    if (typeof next === 'string') one.bytes = encode(host, { ...request, body: before + next + after });
  };
  return one;
}

/** The pace of a connection: it sends neither before the next time slot nor before the last response. */
interface Pace {
  readonly first_ms: number;
  readonly every_ms: number;
}

/** A connection that sends one request after the other until the time is up. */
class LoadConnection {
  readonly #socket: Socket;
  readonly #requests: readonly Sendable[];
  readonly #tally: Tally;
  readonly #pace: Pace;
  #sentAt_ms = 0;
  #answered = 0;

  constructor(socket: Socket, requests: readonly Sendable[], tally: Tally, pace: Pace) {
    this.#socket = socket;
    this.#requests = requests;
    this.#tally = tally;
    this.#pace = pace;
  }

  /** Resolves once the last response has arrived. */
  async run(): Promise<void> {
    const read = responseReader((status, body) => this.#onResponse(status, body));
    this.#socket.setTimeout(ANSWER_WITHIN_MS, () => this.#socket.destroy(new Error('no answer in time')));
    this.#socket.on('data', (chunk: Buffer) => read(chunk.toString('latin1')));
    await once(this.#socket, 'connect');
    this.#sendAtPace();
    await once(this.#socket, 'close');
    if (performance.now() < this.#tally.until_ms) throw new Error('the server closed a connection');
  }

  #sendAtPace(): void {
    const early_ms = this.#pace.first_ms + this.#answered * this.#pace.every_ms - performance.now();
    if (early_ms > 0) setTimeout(() => this.#sendOrEnd(), early_ms);
    else this.#sendOrEnd();
  }

  #sendOrEnd(): void {
    const now_ms = performance.now();
    if (now_ms >= this.#tally.until_ms) return void this.#socket.end();
    this.#sentAt_ms = now_ms;
    this.#socket.write(this.#current().bytes);
  }

  #onResponse(status: number, body: string): void {
    const now_ms = performance.now();
    const { statuses, latencies_ms, countedFrom_ms } = this.#tally;
    statuses[status] = (statuses[status] ?? 0) + 1;
    if (now_ms >= countedFrom_ms) latencies_ms.push(now_ms - this.#sentAt_ms);
    this.#current().answered(body);
    this.#answered++;
    this.#sendAtPace();
  }

  #current(): Sendable {
    return this.#requests[this.#answered % this.#requests.length] as Sendable;
  }
}

function encode(host: string, { method, path, headers = {}, body = '' }: LoadRequest): Buffer {
  const length = method === 'POST' ? { 'content-length': String(Buffer.byteLength(body)) } : {};
  const lines = Object.entries({ host, connection: 'keep-alive', ...headers, ...length });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('');
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${head}\r\n${body}`);
}
