import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Session as GivenSession } from '@gatehouse/proto/realtime';
import type { ChatLog } from '../following/chat-log.ts';
import type { Audience, Told } from '../sessions/audience.ts';
import type { Registry } from '../sessions/registry.ts';
import { newSession, type Session } from '../sessions/session.ts';
import { RESUMABLE_MS } from '../sessions/sweep.ts';
import type { World } from '../world/world.ts';
import { positionOf } from './given-session.ts';

export interface ArrivalOptions {
  readonly registry: Registry;
  readonly world: World<Audience>;
  readonly chatLog: () => Pick<ChatLog, 'atRest'>;
  readonly loadAccount: (account_id: string) => Promise<void>;
  readonly max_positions: number;
}

/** An account whose sessions are on their way to this replica: what they are to be told is gathered. */
export interface Arrival {
  /** A session that is given must have at least this behind it. */
  readonly cursor: string;
  /** @param cursor what the session has behind it */
  accept(given: GivenSession, cursor: string): Session;
  end(): void;
}

/** A session that has not come by then does not come. */
const WITHIN_MS = 8_000;
const MOST_GATHERED = 20_000;

/** Begins to gather what an account's sessions are to be told. @throws UNAVAILABLE */
export async function arrival(account_id: string, options: ArrivalOptions): Promise<Arrival> {
  const { registry, world, chatLog, loadAccount, max_positions } = options;
  const letGo = registry.hold(account_id);
  const gathered: Told[] = [];
  const audience: Audience = {
    tell: (told) => {
      if (gathered.length < MOST_GATHERED) gathered.push(told);
    },
  };
  try {
    await loadAccount(account_id);
    const account = world.account(account_id);
    if (account === undefined) throw new Error('an account that was loaded is not there');
    const cursor = await chatLog().atRest(AbortSignal.timeout(WITHIN_MS), (cursor) => {
      account.sessions.add(audience);
      return cursor;
    });
    return {
      cursor,
      accept: (given, behind) => {
        const { id, credential_id, bot: is_bot, positions } = given;
        const seq = Number(given.seq) - positions.length;
        const { seen } = readCursor(behind);
        const session = newSession(
          { id, account, credential_id, is_bot, seq, told_elsewhere: seen },
          max_positions,
        );
        for (const position of positions) session.positions.push(positionOf(position));
        for (const told of gathered) session.tell(told);
        // This replica may have read less than the one that gave it.
        chatLog()
          .atRest(AbortSignal.timeout(WITHIN_MS), () => forgetElsewhere(session), seen)
          .catch(() => undefined);
        session.disconnectedAt_ms = performance.now() - (RESUMABLE_MS - given.left_ms);
        registry.add(session);
        return session;
      },
      end: () => {
        account.sessions.delete(audience);
        letGo();
      },
    };
  } catch (error) {
    letGo();
    throw error;
  }
}

function forgetElsewhere(session: Session): void {
  session.told_elsewhere = undefined;
}
