import { type ClientHttp2Session, connect } from 'node:http2';
import { type ClientTls, http2Tls } from '../tls/client-tls.ts';
import { PeerSilent } from '../unreachable.ts';

export interface SessionEvents {
  /** The peer's settings have arrived. */
  established(): void;
  failed(error: Error): void;
  /** The session takes no further streams. May be called more than once. */
  unusable(): void;
}

const CONNECT_TIMEOUT_MS = 5_000;
/** A peer that vanished is noticed after at most the sum of both. */
const PING_INTERVAL_MS = 10_000;
const PING_TIMEOUT_MS = 5_000;
/** Maximum time for the open streams of a peer that shuts down. Our servers take less (../serve.ts). */
const GOAWAY_TIMEOUT_MS = 15_000;
/** HTTP/2 flow control: how many bytes a peer may send before they are read. */
const WINDOW_BYTES = 1024 * 1024;

/** An HTTP/2 session with a peer, from the attempt to connect until it is closed. */
export class ClientSession {
  readonly http2: ClientHttp2Session;
  /** When the peer's settings arrived, by performance.now(). Until then the peer may be a stopped process. */
  establishedAt_ms: number | undefined;
  /** Set if the session was given up because the peer did not answer in time. */
  silence: PeerSilent | undefined;
  #streams = 0;
  #timeout: NodeJS.Timeout;
  readonly #pinging: NodeJS.Timeout;

  constructor(address: string, tls: ClientTls | undefined, events: SessionEvents) {
    const settings = { enablePush: false, initialWindowSize: WINDOW_BYTES };
    this.http2 =
      tls === undefined
        ? connect(`http://${address}`, { settings })
        : connect(`https://${address}`, { settings, ...http2Tls(tls) });
    this.http2.unref(); // only an open stream keeps the process alive
    this.#timeout = this.#giveUpAfter(CONNECT_TIMEOUT_MS, 'no connection in time');
    this.#pinging = setInterval(() => this.#ping(), PING_INTERVAL_MS).unref();
    this.http2.once('remoteSettings', () => this.#establish(events));
    this.http2.on('error', (error) => events.failed(error));
    this.http2.once('goaway', () => {
      clearTimeout(this.#timeout);
      const cutOff = (): void => this.http2.destroy(new Error('the peer has gone away'));
      this.#timeout = setTimeout(cutOff, GOAWAY_TIMEOUT_MS).unref();
      events.unusable();
    });
    this.http2.once('close', () => {
      clearTimeout(this.#timeout);
      clearInterval(this.#pinging);
      events.unusable();
    });
  }

  isOpen(): boolean {
    return !this.http2.closed && !this.http2.destroyed;
  }

  addStream(): void {
    this.#streams++;
    this.http2.ref();
  }

  removeStream(): void {
    this.#streams--;
    if (this.#streams === 0 && !this.http2.destroyed) this.http2.unref();
  }

  /** Closes an established session when its streams have ended, any other at once. */
  close(): void {
    if (this.establishedAt_ms === undefined) this.http2.destroy();
    else this.http2.close();
  }

  #establish(events: SessionEvents): void {
    clearTimeout(this.#timeout);
    this.http2.setLocalWindowSize(WINDOW_BYTES);
    this.establishedAt_ms = performance.now();
    events.established();
  }

  #ping(): void {
    if (this.http2.connecting || !this.isOpen()) return;
    const timeout = this.#giveUpAfter(PING_TIMEOUT_MS, 'the peer does not answer');
    this.http2.ping(() => clearTimeout(timeout)); // Node also calls it when the connection is lost
  }

  #giveUpAfter(ms: number, reason: string): NodeJS.Timeout {
    return setTimeout(() => {
      this.silence = new PeerSilent(reason);
      this.http2.destroy(this.silence);
    }, ms).unref();
  }
}
