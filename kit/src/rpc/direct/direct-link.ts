import { cancelled, deadlineExceeded, type Fault, internal } from '../../fault.ts';
import { Deadlines } from '../deadlines.ts';
import type { RequestMessage } from '../dispatch.ts';
import { MAX_OPEN_CALLS } from '../limits.ts';
import type { ConnectionState, Link } from '../link.ts';
import { writeValues } from '../messages/message-values.ts';
import { linkClosed, type OutgoingCall, type OutgoingStream, tooManyCalls } from '../outgoing-call.ts';
import { OpenCalls } from '../stream/open-calls.ts';
import { Unreachable } from '../unreachable.ts';
import type { DirectServer } from './direct-server.ts';
import type { LocalServers } from './local-servers.ts';
import { MessageQueue } from './message-queue.ts';

/** How a service calls others that share its process. */
export interface LocalPeer {
  readonly servers: LocalServers;
  /** The name of the calling service. The server's access rules apply to it. */
  readonly name: string;
}

interface PendingCall {
  readonly due_ms: number;
  /** Ends the call at the client and at the server. */
  giveUp(reason: Fault): void;
}

/**
 * Calls a server of this process: its handlers run without a connection and without encoding, under the same rules as a
 * call to another process.
 */
export class DirectLink implements Link {
  readonly address: string;
  readonly openedAt_ms = performance.now();
  readonly #peer: LocalPeer;
  readonly #open = new OpenCalls<PendingCall>();
  readonly #deadlines = new Deadlines((now_ms) => this.#failOverdue(now_ms));
  #lastId = 0;
  #retired = false;

  constructor(address: string, peer: LocalPeer) {
    this.address = address;
    this.#peer = peer;
  }

  get inFlight(): number {
    return this.#open.size;
  }

  call(outgoing: OutgoingCall): void {
    try {
      this.#callOn(this.#usableServer(), outgoing, requestOf(outgoing, this.#peer.servers.frozen));
    } catch (error) {
      outgoing.fail(error as Error);
    }
  }

  async *stream(outgoing: OutgoingStream): AsyncGenerator<unknown, void, undefined> {
    const server = this.#usableServer();
    const request = requestOf(outgoing, this.#peer.servers.frozen);
    const queue = new MessageQueue();
    const end = this.#begin(outgoing, (reason) => {
      queue.giveUp(reason);
      abort?.();
    });
    const abort = server.stream(this.#peer.name, outgoing, request, queue);
    try {
      yield* queue.messages();
    } finally {
      end();
      queue.giveUp(cancelled()); // drops whatever the handler still sends
      abort?.();
    }
  }

  async isServing(): Promise<boolean> {
    return this.state() === 'connected';
  }

  state(): ConnectionState {
    const server = this.#retired ? undefined : this.#peer.servers.at(this.address);
    if (server === undefined) return 'failed';
    return server.draining ? 'draining' : 'connected';
  }

  retire(): void {
    this.#retired = true;
  }

  /** @throws Fault */
  #usableServer(): DirectServer {
    if (this.#retired) throw linkClosed();
    if (this.#open.size >= MAX_OPEN_CALLS) throw tooManyCalls();
    const server = this.#peer.servers.at(this.address);
    if (server === undefined)
      throw new Unreachable(new Error(`no service of this process is at ${this.address}`), false);
    return server;
  }

  #callOn(server: DirectServer, outgoing: OutgoingCall, request: RequestMessage): void {
    const end = this.#begin(outgoing, (reason) => {
      outgoing.fail(reason);
      abort?.();
    });
    const abort = server.call(this.#peer.name, outgoing, request, {
      succeed: (response) => {
        if (end()) outgoing.succeed(response);
      },
      fail: (error) => {
        if (end()) outgoing.fail(error);
      },
    });
  }

  /**
   * Registers a call, which is given up at its deadline and when its signal aborts.
   *
   * @returns a function that ends the call, and returns false if it had ended already
   */
  #begin(
    { due_ms, signal }: Pick<OutgoingStream, 'due_ms' | 'signal'>,
    giveUp: (reason: Fault) => void,
  ): () => boolean {
    const id = ++this.#lastId; // the link is renewed long before 2 ** 32 calls
    const end = (): boolean => {
      signal?.removeEventListener('abort', abort);
      return this.#open.take(id) !== undefined;
    };
    const call: PendingCall = {
      due_ms,
      giveUp: (reason) => {
        if (end()) giveUp(reason);
      },
    };
    const abort = (): void => call.giveUp(cancelled());
    signal?.addEventListener('abort', abort);
    this.#open.set(id, call);
    this.#deadlines.watch(due_ms);
    return end;
  }

  #failOverdue(now_ms: number): number {
    let earliest_ms = Number.POSITIVE_INFINITY;
    for (const [, call] of this.#open.all()) {
      if (call.due_ms <= now_ms) call.giveUp(deadlineExceeded());
      else earliest_ms = Math.min(earliest_ms, call.due_ms);
    }
    return earliest_ms;
  }
}

/** @throws Fault if the message does not fit its contract */
function requestOf(
  { method, request, encoded }: OutgoingStream & Partial<OutgoingCall>,
  frozen: boolean,
): RequestMessage {
  if (encoded !== undefined) return { bytes: encoded, from: 0, to: encoded.length };
  try {
    return writeValues(method.requestType, request, frozen);
  } catch (error) {
    throw internal(error);
  }
}
