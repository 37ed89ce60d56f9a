import type { FastifyReply } from 'fastify';
import { fault } from '../errors.ts';

type Response = FastifyReply['raw'];

const MAX_CLIENTS = 64;
/** A client that does not read is cut off. Its browser connects again. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 10_000;
const RETRY_MS = 1_000;

/** Sends server-sent events to the pages that are open. */
export class EventStream {
  /** The open streams, each with a function that checks whether its operator is still signed in. */
  readonly #clients = new Map<Response, () => Promise<unknown>>();
  readonly #heartbeat: NodeJS.Timeout;
  #closed = false;

  /** @param heartbeat_ms the interval of heartbeats, and of the checks */
  constructor(heartbeat_ms = HEARTBEAT_MS) {
    this.#heartbeat = setInterval(() => this.#beat(), heartbeat_ms).unref();
  }

  get size(): number {
    return this.#clients.size;
  }

  /**
   * Begins a stream. It ends when `check` rejects.
   *
   * @throws SERVICE_UNAVAILABLE if too many are open
   */
  open(reply: FastifyReply, check: () => Promise<unknown>): void {
    if (this.#closed || this.#clients.size >= MAX_CLIENTS)
      throw fault('SERVICE_UNAVAILABLE', { message: 'Too many pages follow the overview. Close one.' });
    reply.hijack();
    const { raw } = reply;
    if (raw.destroyed) return; // the client left while its operator was looked up
    raw.once('close', () => this.#clients.delete(raw));
    raw.on('error', () => undefined); // it closes, too
    for (const [name, value] of Object.entries(reply.getHeaders()))
      if (value !== undefined) raw.setHeader(name, value);
    raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' });
    raw.write(`retry: ${RETRY_MS}\n\n`);
    this.#clients.set(raw, check);
  }

  /** @param data one line */
  send(event: string, data: string): void {
    this.#write(`event: ${event}\ndata: ${data}\n\n`);
  }

  /** Ends all streams, and begins no others. */
  close(): void {
    this.#closed = true;
    clearInterval(this.#heartbeat);
    for (const raw of this.#clients.keys()) raw.end();
  }

  #beat(): void {
    this.#write(': \n\n');
    for (const [raw, check] of this.#clients) check().catch(() => raw.end());
  }

  #write(text: string): void {
    for (const raw of this.#clients.keys()) {
      if (raw.writableLength > MAX_UNSENT_BYTES) raw.destroy();
      else if (!raw.writableEnded) raw.write(text);
    }
  }
}
