import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast, isBehind, type Snapshot } from '@gatehouse/kit/event-log/snapshot';
import { isOutage, unavailable } from '@gatehouse/kit/fault';
import type { Session as TransferredSession } from '@gatehouse/proto/realtime';
import type { ChatLog } from '../following/chat-log.ts';
import type { EventReceiver, SessionEvent } from '../following/event-receiver.ts';
import type { ReplayBufferOptions } from '../sessions/replay-buffer.ts';
import { Session } from '../sessions/session.ts';
import type { SessionRegistry } from '../sessions/session-registry.ts';
import { RESUMABLE_MS } from '../sessions/sweep.ts';
import type { World } from '../world/world.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import { replayEntryOf } from './transferred-session.ts';

export interface PreparedAccountOptions {
  readonly registry: SessionRegistry;
  readonly world: World<EventReceiver>;
  readonly chatLog: Pick<ChatLog, 'betweenTransactions'>;
  readonly loadAccount: (account_id: string) => Promise<void>;
  readonly buffer: ReplayBufferOptions;
}

/** An account whose sessions are being transferred here. It buffers their events. */
export interface PreparedAccount {
  /** Buffering begins here: a transferred session must have received all events up to this cursor. */
  readonly cursor: string;
  /**
   * Accepts a session once this replica has delivered all events that the session has received. Later events are delivered to
   * it from the buffer. A session that is here by then stays as it is.
   *
   * @param received the cursor up to which the session has received events
   * @throws UNAVAILABLE
   */
  accept(session: TransferredSession, received: string): Promise<Session>;
  end(): void;
}

/** A session that has not arrived by then does not arrive. */
const PREPARE_TIMEOUT_MS = 8_000;
const MAX_BUFFERED = 20_000;

/** Loads the account, and buffers the events of its sessions from now on. @throws UNAVAILABLE */
export async function prepareAccount(
  account_id: string,
  options: PreparedAccountOptions,
): Promise<PreparedAccount> {
  const { registry, world, chatLog, loadAccount } = options;
  const release = registry.hold(account_id);
  const buffer = new EventBuffer();
  try {
    await loadAccount(account_id);
    const account = world.account(account_id);
    if (account === undefined) throw new Error('a loaded account is not in the world');
    const cursor = await chatLog.betweenTransactions(AbortSignal.timeout(PREPARE_TIMEOUT_MS), (cursor) => {
      if (world.account(account_id) !== account) throw new Error('events were lost');
      account.sessions.add(buffer);
      return cursor;
    });
    const { seen: begun } = readCursor(cursor);
    return {
      cursor,
      accept: (session, received) => {
        const { seen } = readCursor(received);
        const transfer = { session, account, buffer, begun, received: seen };
        const act = () => acceptSession(transfer, options);
        return chatLog.betweenTransactions(AbortSignal.timeout(PREPARE_TIMEOUT_MS), act, seen);
      },
      end: () => {
        account.sessions.delete(buffer);
        release();
      },
    };
  } catch (error) {
    release();
    throw isOutage(error) ? error : unavailable(error);
  }
}

interface SessionTransfer {
  readonly session: TransferredSession;
  readonly account: FollowedAccount<EventReceiver>;
  readonly buffer: EventBuffer;
  /** Where buffering began. */
  readonly begun: Snapshot;
  /** The events that the session has received. */
  readonly received: Snapshot;
}

function acceptSession(
  { session: transferred, account, buffer, begun, received }: SessionTransfer,
  options: PreparedAccountOptions,
): Session {
  const { registry, world } = options;
  const { id, credential_id, bot: is_bot, positions, user_digest } = transferred;
  const here = registry.get(id);
  if (here !== undefined) return here;
  if (world.account(account.id) !== account || buffer.isOverflown())
    throw unavailable(new Error('events were lost'));
  if (!isAtLeast(received, begun)) throw unavailable(new Error('earlier events were not buffered'));
  const seq = Number(transferred.seq) - positions.length;
  const most_sent = Number(transferred.sent);
  const session = new Session(
    { id, account, credential_id, is_bot, seq, most_sent, user_digest },
    options.buffer,
  );
  for (const position of positions) session.buffer.push(replayEntryOf(position));
  for (const event of buffer.events)
    if (event.xact_id === undefined || !isBehind(received, event.xact_id)) session.receive(event);
  session.disconnectedAt_ms = performance.now() - (RESUMABLE_MS - transferred.left_ms);
  registry.add(session);
  return session;
}

class EventBuffer implements EventReceiver {
  readonly #events: SessionEvent[] = [];

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  isOverflown(): boolean {
    return this.#events.length > MAX_BUFFERED;
  }

  receive(event: SessionEvent): void {
    if (!this.isOverflown()) this.#events.push(event);
  }
}
