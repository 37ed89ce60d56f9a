import { type ClientHttp2Session, connect } from 'node:http2';
import { type MessageStream, openMessages, type StreamEvents } from './message-stream.ts';
import { Unreachable } from './unreachable.ts';

/** The HTTP/2 connection to one replica that its call streams run on; when it is lost it is made again. */
export interface CallConnection {
  /** 0 when connected, 1 when not yet, 2 when the last attempt failed. */
  distance(): number;
  /** @throws Unreachable until the next attempt, where the last has failed */
  open(path: string, events: StreamEvents): MessageStream;
  /** Ends once its streams have ended. */
  close(): void;
}

const CONNECT_WITHIN_MS = 5_000;
const FIRST_RETRY_MS = 100;
const MAX_RETRY_MS = 500;
/** A peer that is gone without a word is found out within their sum. */
const PING_EVERY_MS = 10_000;
const PING_WITHIN_MS = 5_000;
/** What a peer may send of all its answers before they are read. */
const WINDOW_BYTES = 1024 * 1024;

export function callConnection(address: string): CallConnection {
  let session: ClientHttp2Session | undefined;
  let established = false;
  let establishedAt = 0;
  let failure: unknown;
  let retryMs = FIRST_RETRY_MS;
  let closed = false;
  connectNow();

  function connectNow(): void {
    if (closed) return;
    const attempt = connect(`http://${address}`, {
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES },
    });
    session = attempt;
    established = false;
    attempt.unref(); // what keeps a process alive is an open stream
    const late = setTimeout(
      () => attempt.destroy(new Error('no connection in time')),
      CONNECT_WITHIN_MS,
    ).unref();
    const pinging = setInterval(() => ping(attempt), PING_EVERY_MS).unref();
    attempt.once('remoteSettings', () => {
      clearTimeout(late);
      attempt.setLocalWindowSize(WINDOW_BYTES);
      if (attempt !== session) return;
      established = true;
      establishedAt = performance.now();
      failure = undefined;
      retryMs = FIRST_RETRY_MS;
    });
    attempt.on('error', (error) => {
      if (attempt === session) failure = error;
    });
    attempt.once('goaway', () => leave(attempt)); // its open streams go on
    attempt.once('close', () => {
      clearTimeout(late);
      clearInterval(pinging);
      leave(attempt);
    });
  }

  /** Goes on without a connection that takes no further streams. */
  function leave(lost: ClientHttp2Session): void {
    if (lost !== session) return;
    session = undefined;
    if (established && performance.now() - establishedAt > MAX_RETRY_MS) {
      connectNow();
      return;
    }
    failure ??= new Error('the peer closed the connection');
    setTimeout(connectNow, retryMs * (0.8 + Math.random() * 0.4)).unref();
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS);
  }

  function open(path: string, events: StreamEvents): MessageStream {
    const on = session;
    if (on === undefined || on.closed || on.destroyed) throw new Unreachable(failure, false);
    on.ref();
    let reached = established;
    on.once('remoteSettings', () => {
      reached = true;
    });
    return openMessages(on, path, {
      ...events,
      lost: (cause) => {
        if (!on.destroyed) on.unref();
        events.lost(reached ? cause : new Unreachable(cause, false));
      },
    });
  }

  return {
    distance: () => {
      if (session === undefined) return 2;
      if (established) return 0;
      return failure === undefined ? 1 : 2;
    },
    open,
    close: () => {
      closed = true;
      if (established) session?.close();
      else session?.destroy();
    },
  };
}

function ping(session: ClientHttp2Session): void {
  if (session.connecting || session.destroyed) return;
  const unanswered = setTimeout(
    () => session.destroy(new Error('the peer answers no more')),
    PING_WITHIN_MS,
  ).unref();
  session.ping(() => clearTimeout(unanswered)); // also called when the connection is lost
}
