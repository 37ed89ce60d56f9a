import type { Socket } from 'node:net';
import type { Logger } from '@gatehouse/kit/log';
import type { RawData, WebSocket } from 'ws';
import { type ClientMessage, type Phase, readClientMessage } from './client-message.ts';
import { CloseCode, type Connection, type RequestHandler } from './connection.ts';
import { type ConnectionCounts, countOne } from './connection-counts.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { ConnectionTimeouts } from './connection-timeouts.ts';
import type { Dispatch } from './dispatch.ts';
import { deflatingSink, type EventSink, PlainSink } from './event-sink.ts';
import type { FlushQueue } from './flush-queue.ts';
import { frameText, Op } from './frame.ts';
import { FrameRateLimit } from './frame-rate-limit.ts';
import type { BufferedOutput, OutputLimit } from './output-limit.ts';

/** The state that all connections share. */
export interface ConnectionContext {
  readonly handler: RequestHandler;
  readonly settings: ConnectionSettings;
  readonly log: Logger;
  readonly counts: ConnectionCounts;
  readonly queue: FlushQueue;
  readonly output: OutputLimit;
  /** Connections that are closing: their timeouts are checked more often. */
  readonly closing: Set<ClientConnection>;
}

interface ClientConnectionOptions {
  readonly id: number;
  readonly address: string;
  readonly ws: WebSocket;
  readonly socket: Socket;
  /** Called when the connection starts or stops waiting for an Identify or a Resume. */
  readonly setUnidentified: (isUnidentified: boolean) => void;
}

/** ws's code for a connection that ended without a close frame. */
const NO_CLOSE_FRAME = 1006;

/** A client's WebSocket. Sends Hello, answers Heartbeats, and passes Identify and Resume to the request handler. */
export class ClientConnection implements Connection, BufferedOutput {
  readonly id: number;
  readonly address: string;
  readonly #ws: WebSocket;
  readonly #socket: Socket;
  readonly #sink: EventSink;
  readonly #shared: ConnectionContext;
  readonly #setUnidentified: (isUnidentified: boolean) => void;
  readonly #frameRate: FrameRateLimit;
  readonly #openedAt = performance.now();
  readonly #timeouts: ConnectionTimeouts;
  #phase: Phase = 'new';
  /** Whether the request handler got an Identify or a Resume, and expects to be notified of this connection's end. */
  #isKnown = false;
  #isEndNotified = false;
  #sentCode: CloseCode | undefined;

  constructor(options: ClientConnectionOptions, shared: ConnectionContext) {
    const { id, address, ws, socket, setUnidentified } = options;
    const { settings, queue, output } = shared;
    this.id = id;
    this.address = address;
    this.#ws = ws;
    this.#socket = socket;
    this.#shared = shared;
    this.#setUnidentified = setUnidentified;
    this.#sink =
      ws.extensions === ''
        ? new PlainSink(socket, queue, (by_bytes) => output.grew(by_bytes))
        : deflatingSink(ws);
    this.#frameRate = new FrameRateLimit(settings.max_frames, settings.frames_window_ms);
    this.#timeouts = new ConnectionTimeouts(settings, this.#openedAt);
    this.#listen();
    this.#send(Op.HELLO, { heartbeat_interval: settings.heartbeat_interval_ms });
  }

  isAccepted(): boolean {
    return this.#phase === 'accepted';
  }

  waitingBytes(): number {
    return this.#sink.waitingBytes();
  }

  accept(): void {
    this.#phase = 'accepted';
  }

  dispatch(s: number, event: Dispatch): void {
    if (!this.#hasRoom()) return;
    this.#shared.counts.dispatches++;
    this.#sink.send(s, event);
  }

  invalidSession(resumable: boolean): void {
    this.#phase = 'new';
    if (this.#isOpen()) this.#setUnidentified(true);
    this.#timeouts.onInvalidSession();
    this.#send(Op.INVALID_SESSION, resumable);
  }

  close(code: CloseCode): void {
    if (!this.#isOpen()) return;
    this.#end(code);
    this.#ws.close(code);
  }

  cut(): void {
    this.#end(CloseCode.UNKNOWN_ERROR);
    this.#socket.destroy();
  }

  /** Ends an unidentified connection to make room for another one. */
  displace(): void {
    this.close(CloseCode.SESSION_TIMED_OUT);
    this.#socket.destroy();
  }

  /** Asks the client to reconnect by op 7. The connection is closed with 1001 after `leave_within_ms`. */
  askToReconnect(): void {
    if (this.#phase !== 'accepted') this.close(CloseCode.GOING_AWAY);
    this.#send(Op.RECONNECT, null);
    this.#timeouts.onReconnect();
    this.#shared.closing.add(this);
  }

  /** Ends the connection if one of its timeouts is over. */
  tick(now: number): void {
    const code = this.#timeouts.closeCode(this.#phase, now);
    if (!this.#isOpen()) this.#destroyIfDue(now);
    else if (code !== undefined) this.close(code);
  }

  #listen(): void {
    this.#ws.on('message', (data, isBinary) => this.#onMessage(data, isBinary));
    this.#ws.on('ping', (data) => {
      if (this.#admitFrame()) this.#ws.pong(data);
    });
    this.#ws.on('pong', () => this.#admitFrame());
    // ws has already sent a close frame.
    this.#ws.on('error', () => this.#notifyEnd(undefined));
    this.#ws.on('close', (code) => this.#onClose(code));
  }

  #onMessage(data: RawData, isBinary: boolean): void {
    if (!this.#admitFrame()) return;
    if (isBinary || !Buffer.isBuffer(data)) this.close(CloseCode.DECODE_ERROR);
    else this.#guard(() => this.#handle(readClientMessage(data, this.#phase)));
  }

  /** Counts a frame; false if the connection is closed or the client sent too many. */
  #admitFrame(): boolean {
    if (!this.#isOpen()) return false;
    this.#shared.counts.frames++;
    if (this.#frameRate.admit(performance.now())) return true;
    this.close(CloseCode.RATE_LIMITED);
    return false;
  }

  #handle(message: ClientMessage): void {
    switch (message.kind) {
      case 'close':
        this.close(message.code);
        break;
      case 'heartbeat':
        this.#heartbeat(message.seq);
        break;
      case 'identify':
        this.#setPending();
        this.#shared.handler.identify(this, message.identify);
        break;
      case 'resume':
        this.#setPending();
        this.#shared.handler.resume(this, message.resume);
    }
  }

  /** While a Resume is pending the session is unknown, so its sequence number is not checked. */
  #heartbeat(seq: number | null): void {
    this.#timeouts.onHeartbeat();
    if (this.#phase === 'accepted' && !this.#shared.handler.heartbeat(this, seq))
      this.close(CloseCode.INVALID_SEQUENCE);
    else this.#send(Op.HEARTBEAT_ACK, null);
  }

  #setPending(): void {
    this.#phase = 'pending';
    this.#isKnown = true;
    this.#setUnidentified(false);
  }

  /** The socket is read until the client answers the close frame: destroying it earlier could lose the frame. */
  #destroyIfDue(now: number): void {
    this.#shared.closing.add(this);
    if (this.#timeouts.isCloseOverdue(now)) this.#socket.destroy();
  }

  /** Ignores the limit of waiting bytes, which a long READY may reach: these frames are few. */
  #send(op: number, d: unknown): void {
    if (this.#isOpen()) this.#ws.send(frameText(op, d));
  }

  /** False if the connection has ended, or ends now because its client does not read. */
  #hasRoom(): boolean {
    if (!this.#isOpen()) return false;
    const { max_waiting_bytes_each } = this.#shared.settings;
    if (this.#sink.waitingBytes() < max_waiting_bytes_each) return true;
    this.#sink.flush();
    if (this.#sink.waitingBytes() < max_waiting_bytes_each) return true;
    this.#shared.counts.slow_readers++;
    this.close(CloseCode.UNKNOWN_ERROR);
    return false;
  }

  #isOpen(): boolean {
    return this.#sentCode === undefined && this.#ws.readyState === this.#ws.OPEN;
  }

  /** Records that the server ended the connection: the client's close code then only echoes ours. */
  #end(code: CloseCode): void {
    this.#sentCode ??= code;
    this.#shared.closing.add(this);
    this.#notifyEnd(undefined);
  }

  /** Notifies the request handler once, in a microtask, since it may be calling this connection now. */
  #notifyEnd(code: number | undefined): void {
    if (this.#isEndNotified) return;
    this.#isEndNotified = true;
    if (this.#isKnown) queueMicrotask(() => this.#guard(() => this.#shared.handler.ended(this, code)));
  }

  #onClose(code: number): void {
    this.#notifyEnd(code === NO_CLOSE_FRAME ? undefined : code);
    const close_code = this.#sentCode ?? code;
    countOne(this.#shared.counts.closed, close_code);
    const open_ms = Math.round(performance.now() - this.#openedAt);
    const by = this.#sentCode === undefined ? 'client' : 'server';
    this.#shared.log.debug({ connection: this.id, close_code, by, open_ms }, 'connection ended');
  }

  /** A failure of the request handler ends this connection, not the process. */
  #guard(action: () => void): void {
    try {
      action();
    } catch (error) {
      this.#shared.log.error(
        { err: error, connection: this.id },
        'the request handler failed with a connection',
      );
      this.close(CloseCode.UNKNOWN_ERROR);
    }
  }
}
