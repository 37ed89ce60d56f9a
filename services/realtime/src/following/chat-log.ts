import { setTimeout as sleep } from 'node:timers/promises';
import type { Users } from '@gatehouse/auth-client/users';
import { readCursor } from '@gatehouse/kit/event-log/cursor';
import type { Snapshot } from '@gatehouse/kit/event-log/snapshot';
import { isOutage } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { ChatServiceDefinition, Event } from '@gatehouse/proto/chat';
import type { LogEvent } from '../world/event.ts';
import type { World } from '../world/world.ts';
import { deliver, usersToFetch } from './deliver.ts';
import type { EventReceiver } from './event-receiver.ts';
import { EventRecording } from './event-recording.ts';
import { FetchedUsers } from './fetched-users.ts';
import { HeadRequest } from './head-request.ts';
import { logEventOf } from './log-event.ts';
import { LogPosition } from './log-position.ts';
import { LogReader, type LogResponse } from './log-reader.ts';

export interface ChatLogOptions {
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly users: Users;
  readonly world: World<EventReceiver>;
  /** Called for each delivered event with the time when it was written, ISO 8601. */
  readonly delivered: (created_at: string) => void;
  readonly log: Logger;
}

export interface ChatLogHooks {
  /** Loads the guild of a GUILD_CREATE for the world's accounts that joined it; false if none of them is in it. */
  readonly loadGuild: (guild_id: string, created: LogEvent) => Promise<boolean>;
  /** Settles once ended credentials are known, so that events may be delivered. */
  readonly revocationsApplied: () => Promise<void>;
  /** Called when events were lost: the world's state is void. */
  readonly onEventsLost: () => void;
}

/** The requested silence of chat's log, for which an Identify waits. An idle log answers later, unless a HeadRequest wakes it. */
const CHAT_SILENCE_MS = 50;
const EVENT_RETRY_MS = 100;
/** Maximum attempts for an event that fails without an outage: it may be the cause itself. */
const MAX_EVENT_ATTEMPTS = 30;

/** Follows chat's event log: applies each event to the world, and delivers it to the sessions that it concerns. */
export class ChatLog {
  readonly #options: ChatLogOptions;
  readonly #closing = new AbortController();
  readonly #position = new LogPosition();
  readonly #headRequest: HeadRequest;
  readonly #recordings = new Set<EventRecording>();
  readonly #warn: (error: unknown) => void;
  #hooks: ChatLogHooks | undefined;
  #reader: LogReader<Event> | undefined;
  #applied = 0;

  constructor(options: ChatLogOptions) {
    this.#options = options;
    this.#headRequest = new HeadRequest(options.chat, CHAT_SILENCE_MS);
    this.#warn = throttledLog<unknown>((times, error) =>
      options.log.warn({ err: error, times }, 'events wait for another service'),
    );
  }

  /** Follows the log from now on. */
  start(hooks: ChatLogHooks): void {
    const { chat, log } = this.#options;
    this.#hooks = hooks;
    this.#reader = new LogReader<Event>({
      name: 'chat',
      log,
      read: (cursor, signal) =>
        chat.readEvents({ cursor, types: [], silence_ms: CHAT_SILENCE_MS }, { signal }),
      take: (response) => this.#take(response, hooks),
      onEventsLost: () => {
        this.#position.reset();
        for (const recording of this.#recordings) recording.onEventsLost();
        hooks.onEventsLost();
      },
    });
  }

  /**
   * Runs `act` between two responses, once every event up to `after` is delivered. All events up to the cursor are delivered
   * then. @throws the signal's reason
   */
  betweenTransactions<T>(signal: AbortSignal, act: (cursor: string) => T, after?: Snapshot): Promise<T> {
    const waiting = this.#position.betweenTransactions(signal, act, after);
    if (after !== undefined && !this.#position.isPast(after)) this.#headRequest.afterSilence(waiting);
    return waiting;
  }

  /** Records each event that is applied, until the recording is stopped. */
  record(): EventRecording {
    const recording = new EventRecording();
    this.#recordings.add(recording);
    return recording;
  }

  stopRecording(recording: EventRecording): void {
    this.#recordings.delete(recording);
  }

  age_ms(): number {
    return this.#reader?.age_ms() ?? 0;
  }

  /** The number of applied events. */
  applied(): number {
    return this.#applied;
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#reader?.close();
  }

  async #take({ events, cursor }: LogResponse<Event>, { revocationsApplied }: ChatLogHooks): Promise<void> {
    this.#position.beginMove();
    const next = readCursor(cursor);
    await revocationsApplied();
    const users = new FetchedUsers(this.#options.users);
    const relevant = events.filter((event) => this.#concernsSessions(event));
    await this.#fetchTogether(relevant, users);
    for (const stored of events) await this.#takeOne(stored, users, relevant.length === 1);
    this.#position.endMove(cursor, next);
  }

  /** Requests the users of all events in one call. If it fails, each event requests its own. */
  async #fetchTogether(events: readonly Event[], users: FetchedUsers): Promise<void> {
    try {
      await this.#retryWhileUnavailable(() => users.request(events.flatMap(usersOfStored)));
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
    }
  }

  async #takeOne(stored: Event, users: FetchedUsers, isOnlyEvent: boolean): Promise<void> {
    if (this.#recordings.size === 0 && !this.#concernsSessions(stored)) return;
    const event = logEventOf(stored);
    if (event === undefined) return;
    try {
      await this.#deliver(event, users, isOnlyEvent);
    } catch (error) {
      if (this.#closing.signal.aborted) throw error;
      // Skipped: reading it again would fail again.
      this.#options.log.error(
        { err: error, event: event.id, type: event.type },
        'an event cannot be delivered',
      );
    }
    for (const recording of this.#recordings) recording.add(event);
  }

  async #deliver(event: LogEvent, users: FetchedUsers, isOnlyEvent: boolean): Promise<void> {
    if (!(await this.#prepare(event, users)) || !this.#concernsSessions(event)) return;
    deliver(event, { world: this.#options.world, users: users.found, isOnlyEvent });
    this.#applied++;
    this.#options.delivered(event.created_at);
  }

  /** Loads what the event needs; false if it concerns no session. Sessions may end whenever this waits. */
  async #prepare(event: LogEvent, users: FetchedUsers): Promise<boolean> {
    const hooks = this.#hooks;
    if (hooks === undefined) return false;
    const guild_id = this.#concernsSessions(event) ? this.#options.world.missingGuild(event) : undefined;
    // Loaded only once: a guild without a stored state stays missing if the account has left it again.
    if (guild_id !== undefined) {
      const isLoaded = await this.#retryWhileUnavailable(() => hooks.loadGuild(guild_id, event));
      if (!isLoaded) return false;
    }
    for (;;) {
      await hooks.revocationsApplied(); // credentials may have ended during any wait
      const account_ids = this.#concernsSessions(event) ? usersToFetch(event) : [];
      if (users.hasRequested(account_ids)) return true;
      await this.#retryWhileUnavailable(() => users.request(account_ids));
    }
  }

  /** Events wait during a service's outage, so that none is left out. */
  async #retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    const { signal } = this.#closing;
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || (!isOutage(error) && attempt >= MAX_EVENT_ATTEMPTS)) throw error;
        this.#warn(error);
        await sleep(EVENT_RETRY_MS, undefined, { signal });
      }
    }
  }

  /** Whether the event may concern a session on this replica. */
  #concernsSessions({ guild_id, account_ids }: EventScope): boolean {
    const { world } = this.#options;
    if (guild_id != null && world.guild(guild_id) !== undefined) return true;
    return account_ids.some((id) => world.account(id) !== undefined);
  }
}

interface EventScope {
  readonly guild_id?: string | null | undefined;
  readonly account_ids: readonly string[];
}

/** The users that an event shows; none if it cannot be delivered. */
function usersOfStored(stored: Event): readonly string[] {
  const event = logEventOf(stored);
  try {
    return event === undefined ? [] : usersToFetch(event);
  } catch {
    return [];
  }
}
