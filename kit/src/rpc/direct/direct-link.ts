import { cancelled, deadlineExceeded, type Fault, internal } from '../../fault.ts';
import { deadlines } from '../deadlines.ts';
import type { RequestMessage } from '../dispatch.ts';
import { MAX_OPEN_CALLS } from '../limits.ts';
import type { ConnectionState, Link } from '../link.ts';
import { writeValues } from '../messages/message-values.ts';
import { linkClosed, type OutgoingCall, type OutgoingStream, tooManyCalls } from '../outgoing-call.ts';
import { openCalls } from '../stream/open-calls.ts';
import { Unreachable } from '../unreachable.ts';
import type { DirectServer } from './direct-server.ts';
import type { LocalServers } from './local-servers.ts';
import { messageQueue } from './message-queue.ts';

/** How a service calls others that share its process. */
export interface LocalPeer {
  readonly servers: LocalServers;
  /** The name of the caller's service, which says what it may call. */
  readonly name: string;
}

interface Open {
  readonly due_ms: number;
  /** Ends the call, which has not ended yet, at the client and at the server. */
  giveUp(reason: Fault): void;
}

/**
 * Calls a server of this process: its handlers run without connection and bytes, by the rules of a call to another
 * process.
 */
export function directLink(address: string, { servers, name }: LocalPeer): Link {
  const open = openCalls<Open>();
  const overdue = deadlines(giveUpDue);
  let lastId = 0;
  let retired = false;

  /** @throws Fault */
  function usableServer(): DirectServer {
    if (retired) throw linkClosed();
    if (open.size() >= MAX_OPEN_CALLS) throw tooManyCalls();
    const server = servers.at(address);
    if (server === undefined)
      throw new Unreachable(new Error(`no service of this process is at ${address}`), false);
    return server;
  }

  function call(outgoing: OutgoingCall): void {
    try {
      callOn(usableServer(), outgoing, requestOf(outgoing, servers.frozen));
    } catch (error) {
      outgoing.fail(error as Error);
    }
  }

  function callOn(server: DirectServer, outgoing: OutgoingCall, request: RequestMessage): void {
    const ended = begin(outgoing, (reason) => {
      outgoing.fail(reason);
      abort?.();
    });
    const abort = server.call(name, outgoing, request, {
      succeed: (response) => {
        if (ended()) outgoing.succeed(response);
      },
      fail: (error) => {
        if (ended()) outgoing.fail(error);
      },
    });
  }

  async function* stream(outgoing: OutgoingStream): AsyncGenerator<unknown, void, undefined> {
    const server = usableServer();
    const request = requestOf(outgoing, servers.frozen);
    const queue = messageQueue();
    const ended = begin(outgoing, (reason) => {
      queue.giveUp(reason);
      abort?.();
    });
    const abort = server.stream(name, outgoing, request, queue);
    try {
      yield* queue.messages();
    } finally {
      ended();
      queue.giveUp(cancelled()); // whatever its handler still sends
      abort?.();
    }
  }

  /**
   * From now on the call is given up at its deadline, and when its signal aborts.
   *
   * @returns says that the call has ended: false if it had already
   */
  function begin(
    { due_ms, signal }: Pick<OutgoingStream, 'due_ms' | 'signal'>,
    giveUp: (reason: Fault) => void,
  ): () => boolean {
    const id = ++lastId; // the link is renewed long before 2 ** 32 calls
    const ended = (): boolean => {
      signal?.removeEventListener('abort', abort);
      return open.take(id) !== undefined;
    };
    const entry: Open = {
      due_ms,
      giveUp: (reason) => {
        if (ended()) giveUp(reason);
      },
    };
    const abort = (): void => entry.giveUp(cancelled());
    signal?.addEventListener('abort', abort);
    open.set(id, entry);
    overdue.watch(due_ms);
    return ended;
  }

  function giveUpDue(now_ms: number): number {
    let earliest_ms = Number.POSITIVE_INFINITY;
    for (const [, call] of open.all()) {
      if (call.due_ms <= now_ms) call.giveUp(deadlineExceeded());
      else earliest_ms = Math.min(earliest_ms, call.due_ms);
    }
    return earliest_ms;
  }

  function state(): ConnectionState {
    const server = retired ? undefined : servers.at(address);
    if (server === undefined) return 'failed';
    return server.isDraining() ? 'draining' : 'connected';
  }

  return {
    address,
    openedAt_ms: performance.now(),
    call,
    stream,
    isServing: async () => state() === 'connected',
    inFlight: open.size,
    state,
    retire: () => {
      retired = true;
    },
  };
}

/** @throws Fault for a message that is none of its contract */
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
