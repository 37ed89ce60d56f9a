import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast, isBehind, type Snapshot } from '@gatehouse/kit/event-log/snapshot';
import { isOutage, unavailable } from '@gatehouse/kit/fault';
import type { Session as GivenSession } from '@gatehouse/proto/realtime';
import type { ChatLog } from '../following/chat-log.ts';
import type { EventReceiver, SessionEvent } from '../following/event-receiver.ts';
import type { Keeping } from '../sessions/positions.ts';
import type { Registry } from '../sessions/registry.ts';
import { newSession, type Session } from '../sessions/session.ts';
import { RESUMABLE_MS } from '../sessions/sweep.ts';
import type { World } from '../world/world.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import { positionOf } from './given-session.ts';

export interface ArrivalOptions {
  readonly registry: Registry;
  readonly world: World<EventReceiver>;
  readonly chatLog: () => Pick<ChatLog, 'betweenTransactions'>;
  readonly loadAccount: (account_id: string) => Promise<void>;
  readonly keeping: Keeping;
}

/** An account whose sessions are on their way to this replica: what they are to be told is gathered. */
export interface Arrival {
  /** A session that is given must have at least this behind it. */
  readonly cursor: string;
  /**
   * Takes a session over, once this replica too has read the log as far as the session was told; what came since is told to
   * it. One that is here by then stays as it is.
   *
   * @param behind the cursor of what the session has behind it
   * @throws UNAVAILABLE
   */
  accept(given: GivenSession, behind: string): Promise<Session>;
  end(): void;
}

/** A session that has not come by then does not come. */
const WITHIN_MS = 8_000;
const MOST_GATHERED = 20_000;

/** Begins to gather what an account's sessions are to be told. @throws UNAVAILABLE */
export async function arrival(account_id: string, options: ArrivalOptions): Promise<Arrival> {
  const { registry, world, chatLog, loadAccount, keeping } = options;
  const letGo = registry.hold(account_id);
  const gathered: SessionEvent[] = [];
  const audience: EventReceiver = {
    tell: (told) => {
      if (gathered.length <= MOST_GATHERED) gathered.push(told);
    },
  };
  try {
    await loadAccount(account_id);
    const account = world.account(account_id);
    if (account === undefined) throw new Error('an account that was loaded is not there');
    const cursor = await chatLog().betweenTransactions(AbortSignal.timeout(WITHIN_MS), (cursor) => {
      if (world.account(account_id) !== account) throw new Error('events were missed');
      account.sessions.add(audience);
      return cursor;
    });
    const begun = readCursor(cursor).seen;
    return {
      cursor,
      accept: (given, behind) => {
        const { seen } = readCursor(behind);
        return chatLog().betweenTransactions(
          AbortSignal.timeout(WITHIN_MS),
          () => arrived(given, account, begun, seen),
          seen,
        );
      },
      end: () => {
        account.sessions.delete(audience);
        letGo();
      },
    };
  } catch (error) {
    letGo();
    throw isOutage(error) ? error : unavailable(error);
  }

  function arrived(
    given: GivenSession,
    account: FollowedAccount<EventReceiver>,
    begun: Snapshot,
    seen: Snapshot,
  ): Session {
    const { id, credential_id, bot: is_bot, positions, user_digest } = given;
    const here = registry.get(id);
    if (here !== undefined) return here;
    if (world.account(account_id) !== account || gathered.length > MOST_GATHERED)
      throw unavailable(new Error('events were missed'));
    if (!isAtLeast(seen, begun)) throw unavailable(new Error('what came before was not gathered'));
    const seq = Number(given.seq) - positions.length;
    const most_sent = Number(given.sent);
    const ofSession = { id, account, credential_id, is_bot, seq, most_sent, user_digest };
    const session = newSession(ofSession, keeping);
    for (const position of positions) session.positions.push(positionOf(position));
    for (const told of gathered)
      if (told.xact_id === undefined || !isBehind(seen, told.xact_id)) session.tell(told);
    session.disconnectedAt_ms = performance.now() - (RESUMABLE_MS - given.left_ms);
    registry.add(session);
    return session;
  }
}
