import type { CloseCode, Connection } from '../../src/connections/connection.ts';
import { type Dispatch, dispatchData } from '../../src/connections/dispatch.ts';

/** A client's connection that records everything sent to it. */
export interface TestConnection extends Connection {
  readonly sent: readonly Sent[];
  /** The names of the sent events with their `s`: "1 READY". */
  received(): string[];
  /** The session that READY named. */
  sessionId(): string;
  closedWith(): CloseCode | undefined;
  /** The payloads of op 9. */
  readonly refused: readonly boolean[];
  isAccepted(): boolean;
  /** Bytes that the client has not read. Sent events add to them if it `isSlow`. */
  waiting: number;
  isSlow: boolean;
}

export interface Sent {
  readonly s: number;
  readonly t: string;
  readonly d: EventData | null;
}

/** The members of events that tests read by name. Each event has some of them. */
interface EventData {
  readonly id?: string;
  readonly session_id?: string;
  readonly username?: string;
  readonly content?: string;
  readonly user?: { readonly username: string };
  readonly channels?: readonly Identified[];
  readonly guilds?: readonly (Identified & { readonly channels: readonly Identified[] })[];
}

interface Identified {
  readonly id: string;
}

let last = 0;

/** @param ended called when this side closes it, as ClientConnection calls the request handler */
export function testConnection(ended: (connection: Connection) => void): TestConnection {
  const sent: Sent[] = [];
  const refused: boolean[] = [];
  let closedWith: CloseCode | undefined;
  let isAccepted = false;
  const connection: TestConnection = {
    id: ++last,
    address: '192.0.2.1',
    sent,
    refused,
    waiting: 0,
    isSlow: false,
    received: () => sent.map(({ s, t }) => `${s} ${t}`),
    sessionId: () => sent[0]?.d?.session_id ?? '',
    closedWith: () => closedWith,
    isAccepted: () => isAccepted,
    waitingBytes: () => connection.waiting,
    accept: () => {
      isAccepted = true;
    },
    dispatch: (s: number, event: Dispatch) => {
      if (closedWith !== undefined) return;
      sent.push({ s, t: event.t, d: JSON.parse(dispatchData(event)) });
      if (connection.isSlow) connection.waiting += event.rest.length;
    },
    invalidSession: (resumable) => {
      isAccepted = false;
      refused.push(resumable);
    },
    close: (code) => {
      if (closedWith !== undefined) return;
      closedWith = code;
      queueMicrotask(() => ended(connection));
    },
  };
  return connection;
}
