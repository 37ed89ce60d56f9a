import type { Dispatch } from './dispatch.ts';

/** A client's connection. All its methods may be called after it has ended: they do nothing then. */
export interface Connection {
  /** Numbers them, for logs. */
  readonly id: number;
  /** The client's address, as far as proxies that are trusted tell it. */
  readonly address: string;
  /** Bytes that wait to be taken by the client. */
  waitingBytes(): number;
  /** The session has been found: from now on it may be sent events, and another Identify or Resume is closed with 4005. */
  accept(): void;
  /** Sends an event. Cut off with 4000 if 1 MiB waits already. */
  dispatch(s: number, event: Dispatch): void;
  /** Op 9. The client may identify, or resume, on this connection. */
  invalidSession(resumable: boolean): void;
  /** Op 7: the client is to resume elsewhere. */
  reconnect(): void;
  close(code: CloseCode): void;
}

/** What clients ask for. Identify and Resume are answered later, by methods of the connection. */
export interface Gateway {
  identify(connection: Connection, identify: Identify): void;
  resume(connection: Connection, resume: Resume): void;
  /** Of a connection that was accepted. False: `seq` was never sent to the session. */
  heartbeat(connection: Connection, seq: number | null): boolean;
  /** Once for each connection that asked for anything. `code` is what the client closed it with; undefined: it did not. */
  ended(connection: Connection, code: number | undefined): void;
}

export interface Identify {
  readonly token: string;
  /** Its number and how many there are, which READY gives back. */
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
