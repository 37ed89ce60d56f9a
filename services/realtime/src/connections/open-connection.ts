import type { Socket } from 'node:net';
import type { Logger } from '@gatehouse/kit/log';
import type { RawData, WebSocket } from 'ws';
import { type Ask, type Phase, readAsk } from './client-ask.ts';
import { CloseCode, type Connection, type Gateway } from './connection.ts';
import { type ConnectionCounts, countOne } from './counts.ts';
import { deflatingSink, plainSink } from './event-sink.ts';
import type { FlushQueue } from './flush-queue.ts';
import { frameText, Op } from './frame.ts';
import { frameRate } from './frame-rate.ts';
import type { Settings } from './settings.ts';
import type { Waiter, WaitingBound } from './waiting-bound.ts';

/** What all connections share. */
export interface Shared {
  readonly gateway: Gateway;
  readonly settings: Settings;
  readonly log: Logger;
  readonly counts: ConnectionCounts;
  readonly queue: FlushQueue;
  readonly waiting: WaitingBound;
  /** Those whose end is near: they are looked at oftener. */
  readonly ending: Set<OpenConnection>;
}

export interface OpenConnection extends Connection, Waiter {
  isAccepted(): boolean;
  /** Makes room for another, before it has identified. */
  displace(): void;
  /** Ends it if one of its times is over. */
  tick(now: number): void;
  /** Asks the client to go elsewhere, and closes the connection with 1001. */
  leave(): void;
}

interface Opened {
  readonly id: number;
  readonly address: string;
  readonly ws: WebSocket;
  readonly socket: Socket;
  /** It begins or ceases to wait for an Identify or a Resume. */
  readonly waits: (isUnidentified: boolean) => void;
}

/** A Heartbeat may be late by half an interval. */
const INTERVALS_WITHOUT_HEARTBEAT = 1.5;

/** After more of them, those 45 seconds do not begin anew. */
const MAX_INVALID_SESSIONS = 10;

/** What ws calls the end of a connection without a close frame. */
const NO_CLOSE_FRAME = 1006;

/** Sends Hello, and answers what the client sends. */
export function openConnection({ id, address, ws, socket, waits }: Opened, shared: Shared): OpenConnection {
  const { gateway, settings, log, counts } = shared;
  const sink =
    ws.extensions === '' ? plainSink(socket, shared.queue, shared.waiting.grew) : deflatingSink(ws);
  const mayCome = frameRate(settings.max_frames, settings.frames_window_ms);
  const opened = performance.now();
  let phase: Phase = 'new';
  let hasAsked = false;
  let isOver = false;
  let sentCode: CloseCode | undefined;
  let heartbeatAt = opened;
  let newSince = opened;
  let invalidSessions = 0;
  let leaveAt: number | undefined;
  let destroyAt: number | undefined;

  const connection: OpenConnection = {
    id,
    address,
    waitingBytes: sink.waitingBytes,
    isAccepted: () => phase === 'accepted',
    accept: () => {
      phase = 'accepted';
    },
    dispatch: (s, event) => {
      if (!hasRoom()) return;
      counts.dispatches++;
      sink.send(s, event);
    },
    invalidSession: (resumable) => {
      phase = 'new';
      if (isOpen()) waits(true);
      if (invalidSessions++ < MAX_INVALID_SESSIONS) newSince = performance.now();
      send(Op.INVALID_SESSION, resumable);
    },
    reconnect: () => send(Op.RECONNECT, null),
    close,
    cut: () => {
      end(CloseCode.UNKNOWN_ERROR);
      socket.destroy();
    },
    displace: () => {
      close(CloseCode.SESSION_TIMED_OUT);
      socket.destroy();
    },
    leave: () => {
      if (phase !== 'accepted') close(CloseCode.GOING_AWAY);
      send(Op.RECONNECT, null);
      leaveAt ??= performance.now() + settings.leave_within_ms;
      shared.ending.add(connection);
    },
    tick: (now) => {
      if (isOpen()) closeInTime(now);
      else destroyInTime(now);
    },
  };

  ws.on('message', onMessage);
  ws.on('ping', (data) => {
    if (takeFrame()) ws.pong(data);
  });
  ws.on('pong', takeFrame);
  // ws has sent a close frame already.
  ws.on('error', () => over(undefined));
  ws.on('close', onClose);
  send(Op.HELLO, { heartbeat_interval: settings.heartbeat_interval_ms });
  return connection;

  function onMessage(data: RawData, isBinary: boolean): void {
    if (!takeFrame()) return;
    if (isBinary || !Buffer.isBuffer(data)) close(CloseCode.DECODE_ERROR);
    else guard(() => answer(readAsk(data, phase)));
  }

  /** A failure of the gateway ends this connection, and not the process with all the others. */
  function guard(what: () => void): void {
    try {
      what();
    } catch (error) {
      log.error({ err: error, connection: id }, 'the gateway failed with a connection');
      close(CloseCode.UNKNOWN_ERROR);
    }
  }

  /** Counts a frame. False: it comes too late, or there were too many. */
  function takeFrame(): boolean {
    if (!isOpen()) return false;
    counts.frames++;
    if (mayCome(performance.now())) return true;
    close(CloseCode.RATE_LIMITED);
    return false;
  }

  function answer(ask: Ask): void {
    switch (ask.kind) {
      case 'close':
        close(ask.code);
        break;
      case 'heartbeat':
        heartbeat(ask.seq);
        break;
      case 'identify':
        wait();
        gateway.identify(connection, ask.identify);
        break;
      case 'resume':
        wait();
        gateway.resume(connection, ask.resume);
    }
  }

  /** A client that resumes may tell a number of its session before the session has been found. */
  function heartbeat(seq: number | null): void {
    heartbeatAt = performance.now();
    if (phase === 'accepted' && !gateway.heartbeat(connection, seq)) close(CloseCode.INVALID_SEQUENCE);
    else send(Op.HEARTBEAT_ACK, null);
  }

  function wait(): void {
    phase = 'asked';
    hasAsked = true;
    waits(false);
  }

  /** The socket is read on until the client has answered: it might lose the close frame otherwise. */
  function destroyInTime(now: number): void {
    shared.ending.add(connection);
    destroyAt ??= now + settings.close_within_ms;
    if (now >= destroyAt) socket.destroy();
  }

  function closeInTime(now: number): void {
    const silent = now - heartbeatAt > INTERVALS_WITHOUT_HEARTBEAT * settings.heartbeat_interval_ms;
    const nobody = phase === 'new' && now - newSince > settings.identify_within_ms;
    if (silent || nobody) close(CloseCode.SESSION_TIMED_OUT);
    else if (leaveAt !== undefined && now >= leaveAt) close(CloseCode.GOING_AWAY);
  }

  /** However much waits for the client: it may be a long READY. Its own frames are few. */
  function send(op: number, d: unknown): void {
    if (isOpen()) ws.send(frameText(op, d));
  }

  /** False: the connection has ended, or is cut off now because the client does not read. */
  function hasRoom(): boolean {
    if (!isOpen()) return false;
    if (sink.waitingBytes() < settings.max_waiting_bytes_each) return true;
    sink.flush();
    if (sink.waitingBytes() < settings.max_waiting_bytes_each) return true;
    close(CloseCode.UNKNOWN_ERROR);
    return false;
  }

  function isOpen(): boolean {
    return sentCode === undefined && ws.readyState === ws.OPEN;
  }

  function close(code: CloseCode): void {
    if (!isOpen()) return;
    end(code);
    ws.close(code);
  }

  /** It is our end: what the client answers to it is no wish of its own. */
  function end(code: CloseCode): void {
    sentCode ??= code;
    shared.ending.add(connection);
    over(undefined);
  }

  /** The gateway is told later: it may be in the midst of asking something of this connection. */
  function over(code: number | undefined): void {
    if (isOver) return;
    isOver = true;
    if (hasAsked) queueMicrotask(() => guard(() => gateway.ended(connection, code)));
  }

  function onClose(code: number): void {
    over(code === NO_CLOSE_FRAME ? undefined : code);
    const closeCode = sentCode ?? code;
    countOne(counts.closed, closeCode);
    const open_ms = Math.round(performance.now() - opened);
    const by = sentCode === undefined ? 'client' : 'server';
    log.debug({ connection: id, close_code: closeCode, by, open_ms }, 'connection ended');
  }
}
