import type { Connection } from '../connections/connection.ts';
import type { EventReceiver, SessionEvent } from '../following/event-receiver.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import { ReplayBuffer, type ReplayBufferOptions } from './replay-buffer.ts';

export interface NewSession {
  readonly id: string;
  readonly account: FollowedAccount<EventReceiver>;
  readonly credential_id: string;
  readonly is_bot: boolean;
  /** The last `s` of the session's events; 0 for a new session. */
  readonly seq: number;
  readonly highest_sent: number;
  readonly user_digest: string;
}

/** A session of the Gateway. It outlives its connection by a minute, and begins without one. */
export class Session implements EventReceiver {
  readonly id: string;
  readonly account: FollowedAccount<EventReceiver>;
  readonly credential_id: string;
  readonly is_bot: boolean;
  readonly buffer: ReplayBuffer;
  /** Undefined while the session waits for a resume. */
  connection: Connection | undefined = undefined;
  /** Whether all buffered events were sent on the connection. Until then, new events are only buffered. */
  is_live = false;
  /** The last `s` sent on this connection, until the session is live. */
  sent: number;
  /** The highest `s` sent on any of its connections, until the session is live. */
  highest_sent: number;
  /** The last `s` that the client acknowledged by a Heartbeat. */
  acknowledged: number;
  /** The digest of the user as last sent to the client. */
  user_digest: string;
  /** When the connection ended, by performance.now(). */
  disconnectedAt_ms = performance.now();
  /** `buffer.last()` at the sweep's last marks, the oldest first. */
  readonly marks: number[] = [];

  constructor(session: NewSession, buffer: ReplayBufferOptions) {
    this.id = session.id;
    this.account = session.account;
    this.credential_id = session.credential_id;
    this.is_bot = session.is_bot;
    this.buffer = new ReplayBuffer(buffer, session.seq);
    this.sent = session.seq;
    this.highest_sent = session.highest_sent;
    this.acknowledged = session.seq;
    this.user_digest = session.user_digest;
  }

  receive({ entry, dispatch }: SessionEvent): void {
    this.buffer.push(entry);
    if (this.is_live) this.connection?.dispatch(this.buffer.last(), dispatch);
  }

  acknowledge(seq: number): void {
    this.acknowledged = Math.max(this.acknowledged, seq);
  }

  /** Whether the client may have received an event with this `s`. A client without events resumes with 0. */
  wasSent(seq: number): boolean {
    return seq >= 0 && seq <= (this.is_live ? this.buffer.last() : this.highest_sent);
  }

  /** The last `s` that was sent on the connection; without a connection, the last of all events. */
  lastSent(): number {
    return this.connection === undefined || this.is_live ? this.buffer.last() : this.sent;
  }
}
