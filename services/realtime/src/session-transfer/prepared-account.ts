import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast, isVisibleIn, type Snapshot } from '@gatehouse/kit/event-log/snapshot';
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
   * Accepts a session once this replica has delivered all events that the session has received. The session gets later events
   * from the buffer. A session that is already here stays as it is.
   *
   * @param received the cursor up to which the session has received events
   * @throws UNAVAILABLE
   */
  accept(session: TransferredSession, received: string): Promise<Session>;
  end(): void;
}

/** A session that has not arrived by then is not expected any more. */
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
    return new BufferedAccount({ cursor, account, buffer, release, options });
  } catch (error) {
    release();
    throw isOutage(error) ? error : unavailable(error);
  }
}

interface BufferedAccountParts {
  readonly cursor: string;
  readonly account: FollowedAccount<EventReceiver>;
  readonly buffer: EventBuffer;
  readonly release: () => void;
  readonly options: PreparedAccountOptions;
}

class BufferedAccount implements PreparedAccount {
  readonly cursor: string;
  readonly #account: FollowedAccount<EventReceiver>;
  readonly #buffer: EventBuffer;
  readonly #release: () => void;
  readonly #options: PreparedAccountOptions;

  constructor({ cursor, account, buffer, release, options }: BufferedAccountParts) {
    this.cursor = cursor;
    this.#account = account;
    this.#buffer = buffer;
    this.#release = release;
    this.#options = options;
  }

  async accept(session: TransferredSession, received: string): Promise<Session> {
    const { seen } = readCursor(received);
    const signal = AbortSignal.timeout(PREPARE_TIMEOUT_MS);
    return await this.#options.chatLog.betweenTransactions(
      signal,
      () => this.#acceptNow(session, seen),
      seen,
    );
  }

  end(): void {
    this.#account.sessions.delete(this.#buffer);
    this.#release();
  }

  #acceptNow(transferred: TransferredSession, received: Snapshot): Session {
    const { registry, world } = this.#options;
    const here = registry.get(transferred.id);
    if (here !== undefined) return here;
    if (world.account(this.#account.id) !== this.#account || this.#buffer.hasOverflowed())
      throw unavailable(new Error('events were lost'));
    if (!isAtLeast(received, readCursor(this.cursor).seen))
      throw unavailable(new Error('earlier events were not buffered'));
    const session = this.#sessionOf(transferred);
    for (const event of this.#buffer.events)
      if (event.xact_id === undefined || !isVisibleIn(received, event.xact_id)) session.receive(event);
    registry.add(session);
    return session;
  }

  /** The session as it was at the other replica. */
  #sessionOf({ id, credential_id, bot: is_bot, left_ms, ...transferred }: TransferredSession): Session {
    const { positions, user_digest } = transferred;
    const seq = Number(transferred.seq) - positions.length;
    const highest_sent = Number(transferred.sent);
    const session = new Session(
      { id, account: this.#account, credential_id, is_bot, seq, highest_sent, user_digest },
      this.#options.buffer,
    );
    for (const position of positions) session.buffer.push(replayEntryOf(position));
    session.disconnectedAt_ms = performance.now() - (RESUMABLE_MS - left_ms);
    return session;
  }
}

class EventBuffer implements EventReceiver {
  readonly #events: SessionEvent[] = [];

  get events(): readonly SessionEvent[] {
    return this.#events;
  }

  hasOverflowed(): boolean {
    return this.#events.length > MAX_BUFFERED;
  }

  receive(event: SessionEvent): void {
    if (!this.hasOverflowed()) this.#events.push(event);
  }
}
