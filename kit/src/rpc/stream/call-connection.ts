import { type ClientHttp2Session, connect } from 'node:http2';
import type { ConnectionState } from '../link.ts';
import { type ClientTls, http2Tls } from '../tls/client-tls.ts';
import { PeerSilent, Unreachable } from '../unreachable.ts';
import { type MessageStream, openMessages, type StreamEvents } from './message-stream.ts';

/** The HTTP/2 connection that carries the call streams to one replica. If it is lost, it is opened again. */
export interface CallConnection {
  state(): ConnectionState;
  /** Another number for each connection that was begun. */
  generation(): number;
  /** Has a connection attempted if there is none. @throws Unreachable where an attempt has just failed */
  open(path: string, events: StreamEvents): MessageStream;
  /** Closes the connection when its streams have ended. */
  close(): void;
}

interface Attempt {
  readonly session: ClientHttp2Session;
  /** When the peer's settings came, by performance.now(). Until then the peer may be a stopped process. */
  establishedAt: number | undefined;
  /** How many are open. */
  streams: number;
  /** Why it was given up, if the peer said nothing for too long. */
  silence: PeerSilent | undefined;
}

const CONNECT_WITHIN_MS = 5_000;
/** A peer that could not be reached so short a time ago is not tried again for a call. */
const FAILED_JUST_NOW_MS = 50;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 500;
/** Together, the longest time until a peer that vanished is noticed. */
const PING_EVERY_MS = 10_000;
const PING_WITHIN_MS = 5_000;
/** How long a peer that shuts down may take for open streams. It takes less by itself (../serve.ts). */
const DRAIN_WITHIN_MS = 15_000;
/** HTTP/2's flow control: how much a peer may send before it is read. */
const WINDOW_BYTES = 1024 * 1024;

export function callConnection(address: string, tls?: ClientTls): CallConnection {
  let current: Attempt | undefined;
  let failure: unknown;
  let failedAt = 0;
  let retry: NodeJS.Timeout | undefined;
  let retryMs = FIRST_RETRY_MS;
  let closed = false;
  let generation = 0;
  connectNow();

  function connectNow(): void {
    clearTimeout(retry);
    if (closed) return;
    generation++;
    const settings = { enablePush: false, initialWindowSize: WINDOW_BYTES };
    const session =
      tls === undefined
        ? connect(`http://${address}`, { settings })
        : connect(`https://${address}`, { settings, ...http2Tls(tls) });
    const attempt: Attempt = { session, establishedAt: undefined, streams: 0, silence: undefined };
    current = attempt;
    session.unref(); // only an open stream keeps the process alive
    let late = giveUpAfter(CONNECT_WITHIN_MS, attempt, 'no connection in time');
    const pinging = setInterval(() => ping(attempt), PING_EVERY_MS).unref();
    session.once('remoteSettings', () => {
      clearTimeout(late);
      session.setLocalWindowSize(WINDOW_BYTES);
      attempt.establishedAt = performance.now();
      if (attempt !== current) return;
      failure = undefined;
      retryMs = FIRST_RETRY_MS;
    });
    session.on('error', (error) => {
      if (attempt === current) failure = error;
    });
    session.once('goaway', () => {
      clearTimeout(late);
      late = setTimeout(() => session.destroy(new Error('the peer has gone away')), DRAIN_WITHIN_MS).unref();
      leave(attempt);
    });
    session.once('close', () => {
      clearTimeout(late);
      clearInterval(pinging);
      leave(attempt);
    });
  }

  /** Replaces a connection that takes no further streams. */
  function leave(attempt: Attempt): void {
    if (attempt !== current) return;
    current = undefined;
    if (performance.now() - (attempt.establishedAt ?? Number.POSITIVE_INFINITY) > MAX_RETRY_MS) {
      connectNow();
      return;
    }
    failure = attempt.silence ?? failure ?? new Error('the peer closed the connection');
    failedAt = performance.now();
    retry = setTimeout(connectNow, retryMs * (0.8 + Math.random() * 0.4)).unref();
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }

  function open(path: string, events: StreamEvents): MessageStream {
    if (current === undefined && performance.now() - failedAt > FAILED_JUST_NOW_MS) connectNow();
    const attempt = current;
    if (attempt === undefined || attempt.session.closed || attempt.session.destroyed)
      throw new Unreachable(attempt?.silence ?? failure, false);
    const { session } = attempt;
    attempt.streams++;
    session.ref();
    const lost = (cause: unknown): void => {
      attempt.streams--;
      if (attempt.streams === 0 && !session.destroyed) session.unref();
      const reason = attempt.silence ?? cause;
      events.lost(attempt.establishedAt === undefined ? new Unreachable(reason, false) : reason);
    };
    return openMessages(session, path, { ...events, lost }, attempt.establishedAt === undefined);
  }

  return {
    state: () => {
      if (current === undefined) return 'failed';
      if (current.establishedAt !== undefined) return 'connected';
      return failure === undefined ? 'connecting' : 'failed';
    },
    generation: () => generation,
    open,
    close: () => {
      closed = true;
      if (current?.establishedAt === undefined) current?.session.destroy();
      else current.session.close();
    },
  };
}

function ping(attempt: Attempt): void {
  const { session } = attempt;
  if (session.connecting || session.closed || session.destroyed) return;
  const unanswered = giveUpAfter(PING_WITHIN_MS, attempt, 'the peer does not answer');
  session.ping(() => clearTimeout(unanswered)); // Node calls it, too, when the connection is lost
}

function giveUpAfter(ms: number, attempt: Attempt, reason: string): NodeJS.Timeout {
  return setTimeout(() => {
    attempt.silence = new PeerSilent(reason);
    attempt.session.destroy(attempt.silence);
  }, ms).unref();
}
