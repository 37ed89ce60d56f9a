import type { Dispatch } from './dispatch.ts';

/** A client's connection. After its end all methods do nothing. */
export interface Connection {
  /** A number for log lines. */
  readonly id: number;
  /** The client's address, as trusted proxies report it. */
  readonly address: string;
  /** Bytes that the client has not read. */
  waitingBytes(): number;
  /** Allows events: the session was found. A further Identify or Resume closes the connection with 4005. */
  accept(): void;
  /** Sends an event. With 1 MiB already waiting, it closes the connection with 4000 instead. */
  dispatch(s: number, event: Dispatch): void;
  /** Sends op 9. The client may identify or resume again on this connection. */
  invalidSession(resumable: boolean): void;
  close(code: CloseCode): void;
}

/** Handles clients' requests. It answers Identify and Resume later, by methods of the connection. */
export interface RequestHandler {
  identify(connection: Connection, identify: Identify): void;
  resume(connection: Connection, resume: Resume): void;
  /** Handles the Heartbeat of an accepted connection; false if `seq` was never sent to its session. */
  heartbeat(connection: Connection, seq: number | null): boolean;
  /**
   * Called once for each connection that sent an Identify or a Resume, with the client's close code if the client
   * closed it.
   */
  ended(connection: Connection, code: number | undefined): void;
}

export interface Identify {
  readonly token: string;
  /** The shard's number and the number of shards, which READY repeats. */
  readonly shard: readonly [number, number] | undefined;
}

export interface Resume {
  readonly token: string;
  readonly session_id: string;
  readonly seq: number;
}

/** docs/gateway.md#close-codes */
export const CloseCode = {
  GOING_AWAY: 1001,
  UNKNOWN_ERROR: 4000,
  UNKNOWN_OPCODE: 4001,
  DECODE_ERROR: 4002,
  NOT_AUTHENTICATED: 4003,
  AUTHENTICATION_FAILED: 4004,
  ALREADY_AUTHENTICATED: 4005,
  INVALID_SEQUENCE: 4007,
  RATE_LIMITED: 4008,
  SESSION_TIMED_OUT: 4009,
  INVALID_VERSION: 4012,
} as const;
export type CloseCode = (typeof CloseCode)[keyof typeof CloseCode];
