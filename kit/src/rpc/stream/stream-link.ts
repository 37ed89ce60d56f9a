import { CallsDefinition } from '@gatehouse/proto/kit/calls';
import { methodPath } from '../definition.ts';
import type { ConnectionState, Link } from '../link.ts';
import { linkClosed, type OutgoingCall, type OutgoingStream } from '../outgoing-call.ts';
import type { ClientTls } from '../tls/client-tls.ts';
import { UnaryLink } from '../unary/unary-link.ts';
import { CallConnection } from './call-connection.ts';
import { ClientStream } from './client-stream.ts';

const OPEN = methodPath(CallsDefinition, CallsDefinition.methods.open);

/**
 * Calls a replica on a call stream. Health checks, streams of responses, and requests that are too long for a frame
 * are RPCs of grpc-js, over a second connection that is opened when first needed.
 */
export class StreamLink implements Link {
  readonly address: string;
  readonly openedAt_ms = performance.now();
  readonly #connection: CallConnection;
  readonly #unary: UnaryLink;
  /** The current stream, and earlier ones with open calls. */
  readonly #streams = new Set<ClientStream>();
  #current: ClientStream | undefined;
  #retired = false;
  /** The connection whose server is about to end. */
  #drainingGeneration: number | undefined;

  constructor(address: string, tls: ClientTls | undefined) {
    this.address = address;
    this.#connection = new CallConnection(address, tls);
    this.#unary = new UnaryLink(address, tls, false);
  }

  get inFlight(): number {
    let count = this.#unary.inFlight;
    for (const stream of this.#streams) count += stream.inFlight;
    return count;
  }

  call(outgoing: OutgoingCall): void {
    if (this.#retired) {
      outgoing.fail(linkClosed());
      return;
    }
    let stream: ClientStream;
    try {
      stream = this.#usableStream();
    } catch (unreachable) {
      outgoing.fail(unreachable as Error);
      return;
    }
    stream.call(outgoing);
  }

  stream(outgoing: OutgoingStream): AsyncIterable<unknown> {
    return this.#unary.stream(outgoing);
  }

  async isServing(timeoutMs: number): Promise<boolean> {
    return (await this.#unary.isServing(timeoutMs)) && this.#connection.state() === 'connected';
  }

  state(): ConnectionState {
    const state = this.#connection.state();
    return state === 'connected' && this.#drainingGeneration === this.#connection.generation
      ? 'draining'
      : state;
  }

  retire(): void {
    this.#retired = true;
    for (const stream of this.#streams) stream.retire();
    this.#closeIfDone();
  }

  /** @throws Unreachable */
  #usableStream(): ClientStream {
    if (this.#current?.usable === true) return this.#current;
    const connection = this.#connection;
    const { generation } = connection;
    const opened = new ClientStream({
      open: (events) => connection.open(OPEN, events),
      callUnary: (call) => this.#unary.call(call),
      onDraining: () => {
        this.#drainingGeneration = generation;
      },
      onEnd: () => {
        this.#streams.delete(opened);
        this.#closeIfDone();
      },
    });
    this.#streams.add(opened);
    this.#current = opened;
    return opened;
  }

  /** A stream may pass calls to `#unary` until it ends. */
  #closeIfDone(): void {
    if (!this.#retired || this.#streams.size > 0) return;
    this.#unary.retire();
    this.#connection.close();
  }
}
