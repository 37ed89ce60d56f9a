import type { FastifyReply } from 'fastify';
import { fault } from '../errors.ts';

type Response = FastifyReply['raw'];

const MAX_CLIENTS = 64;
/** So that one operator, or a stolen token, does not keep the others out. */
const MAX_OF_OPERATOR = 16;
/** A client that does not read is cut off. Its browser connects again. */
const MAX_UNSENT_BYTES = 1024 * 1024;
const HEARTBEAT_MS = 10_000;
const RETRY_MS = 1_000;

/** The operator who reads a stream. */
export interface Reader {
  readonly operator: string;
  /** Rejects once the operator is not signed in any more. */
  readonly check: () => Promise<unknown>;
}

/** Sends server-sent events to the pages that are open. */
export class EventStream {
  /** The open streams. */
  readonly #clients = new Map<Response, Reader>();
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
   * Begins a stream. It ends when the reader's check rejects.
   *
   * @throws SERVICE_UNAVAILABLE if too many are open, of all operators or of this one
   */
  open(reply: FastifyReply, reader: Reader): void {
    if (this.#closed || this.#clients.size >= MAX_CLIENTS || this.#countOf(reader) >= MAX_OF_OPERATOR)
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
    this.#clients.set(raw, reader);
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

  #countOf({ operator }: Reader): number {
    return [...this.#clients.values()].filter((one) => one.operator === operator).length;
  }

  #beat(): void {
    this.#write(': \n\n');
    for (const [raw, { check }] of this.#clients) check().catch(() => raw.end());
  }

  #write(text: string): void {
    for (const raw of this.#clients.keys()) {
      if (raw.writableLength > MAX_UNSENT_BYTES) raw.destroy();
      else if (!raw.writableEnded) raw.write(text);
    }
  }
}
