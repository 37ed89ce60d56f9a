import type { Connection } from '../connections/connection.ts';
import type { EventReceiver, SessionEvent } from '../following/event-receiver.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import { type Keeping, type Positions, positions } from './positions.ts';

/** A session of the Gateway. It outlives its connection by a minute. */
export interface Session extends EventReceiver {
  readonly id: string;
  readonly account: FollowedAccount<EventReceiver>;
  readonly credential_id: string;
  readonly is_bot: boolean;
  readonly positions: Positions;
  /** Undefined: it may be resumed. */
  connection: Connection | undefined;
  /** Whether its connection has been sent all there is. While it has not, events are only noted. */
  is_live: boolean;
  /** The last `s` that its connection has been sent, while it is not live. */
  sent: number;
  /** The highest `s` that any of its connections has been sent, while it is not live. */
  most_sent: number;
  /** The last `s` that its client has acknowledged by a Heartbeat. */
  acknowledged: number;
  /** Of the current user that it was told of last. */
  user_digest: string;
  /** When its connection ended, in milliseconds of performance.now(). */
  disconnectedAt_ms: number;
  /** What `positions.last()` was, at the last looks of the sweep, the oldest first. */
  readonly marks: number[];
}

export interface NewSession {
  readonly id: string;
  readonly account: FollowedAccount<EventReceiver>;
  readonly credential_id: string;
  readonly is_bot: boolean;
  /** The last `s` that it was told; 0: it is new. */
  readonly seq: number;
  readonly most_sent: number;
  readonly user_digest: string;
}

/** A session that is disconnected as yet. */
export function newSession(begun: NewSession, keeping: Keeping): Session {
  const { id, account, credential_id, is_bot, seq, user_digest } = begun;
  const session: Session = {
    id,
    account,
    credential_id,
    is_bot,
    positions: positions(keeping, seq),
    connection: undefined,
    is_live: false,
    sent: seq,
    most_sent: begun.most_sent,
    acknowledged: seq,
    user_digest,
    disconnectedAt_ms: performance.now(),
    marks: [],
    tell: ({ position, dispatch }: SessionEvent) => {
      session.positions.push(position);
      if (session.is_live) session.connection?.dispatch(session.positions.last(), dispatch);
    },
  };
  return session;
}

/** Whether a client may have had an event with this `s`. 0 is what one says that has had nothing. */
export function wasSent({ positions, is_live, most_sent }: Session, seq: number): boolean {
  return seq >= 0 && seq <= (is_live ? positions.last() : most_sent);
}
