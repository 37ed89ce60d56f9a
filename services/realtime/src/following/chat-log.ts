import { setTimeout as sleep } from 'node:timers/promises';
import type { Users } from '@gatehouse/auth-client/users';
import { readCursor } from '@gatehouse/kit/event-log/cursor';
import { isAtLeast, type Snapshot } from '@gatehouse/kit/event-log/snapshot';
import { isOutage } from '@gatehouse/kit/fault';
import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import { throttledLog } from '@gatehouse/kit/throttled-log';
import type { User } from '@gatehouse/proto/auth';
import type { ChatServiceDefinition, Event } from '@gatehouse/proto/chat';
import type { LogEvent } from '../world/event.ts';
import type { World } from '../world/world.ts';
import { accountsOf, deliver } from './deliver.ts';
import type { EventReceiver } from './event-receiver.ts';
import { keepReading, type Response } from './keep-reading.ts';
import { logEventOf } from './log-event.ts';

/** chat's event log as this replica follows it. */
export interface ChatLog {
  /**
   * Acts between two responses, once all has been told that was visible in a snapshot. What has been told then is what the
   * cursor has behind it. @throws what the signal says
   */
  betweenTransactions<T>(signal: AbortSignal, act: (cursor: string) => T, after?: Snapshot): Promise<T>;
  /** Notes each event that is applied from now on. */
  record(): Recording;
  age_ms(): number;
  /** Events that were applied. */
  applied(): number;
  close(): Promise<void>;
}

export interface Recording {
  readonly events: readonly LogEvent[];
  /** Whether nothing is missing. */
  isWhole(): boolean;
  stop(): void;
}

export interface ChatLogOptions {
  readonly chat: Client<typeof ChatServiceDefinition>;
  readonly users: Users;
  readonly world: World<EventReceiver>;
  /** Loads the guild of a GUILD_CREATE, which accounts of the world have come into. False: none of them is in it. */
  readonly loadGuild: (guild_id: string, created: LogEvent) => Promise<boolean>;
  /** Settles once events may be told: credentials that have ended are known. */
  readonly revocationsApplied: () => Promise<void>;
  /** All that the world knows is void. */
  readonly onEventsLost: () => void;
  /** SessionEvent of each event that has been delivered, and when it was written, ISO 8601. */
  readonly delivered: (created_at: string) => void;
  readonly log: Logger;
}

/** How soon a commit's place in a quiet log is known: Identify waits for it. */
const SILENCE_MS = 50;
const RETRY_MS = 100;
/** What is no outage is not tried for ever: it may be the event. */
const MOST_TRIES = 30;
/** A load is given up that takes so long that more events come meanwhile. */
const MOST_RECORDED = 100_000;

interface OpenRecording {
  readonly events: LogEvent[];
  isWhole: boolean;
}

/** Follows chat's log from now on: applies each event to the world, and tells those whom it concerns. */
export function followChat(options: ChatLogOptions): ChatLog {
  const { chat, world, log } = options;
  const recordings = new Set<OpenRecording>();
  const waiting = new Set<() => void>();
  let isTaking = false;
  let isMidPage = false;
  let cursor: string | undefined;
  let seen: Snapshot | undefined;
  let applied = 0;
  const closing = new AbortController();
  const complain = throttledLog<unknown>((times, error) =>
    log.warn({ err: error, times }, 'events wait for another service'),
  );

  /** Events wait while a service is away that they need: nothing is left out. */
  async function retryWhileUnavailable<T>(work: () => Promise<T>): Promise<T> {
    for (let tries = 1; ; tries++) {
      try {
        return await work();
      } catch (error) {
        if (closing.signal.aborted || (!isOutage(error) && tries >= MOST_TRIES)) throw error;
        complain(error);
        await sleep(RETRY_MS, undefined, { signal: closing.signal });
      }
    }
  }

  async function take({ events, cursor: next }: Response<Event>): Promise<void> {
    isTaking = true;
    const position = readCursor(next);
    await options.revocationsApplied();
    const users = knownUsers(options.users);
    const told = events.filter((event) => concerns(world, event));
    await askTogether(told, users);
    for (const stored of events) await takeOne(stored, users, told.length === 1);
    cursor = next;
    seen = position.seen;
    isMidPage = position.page !== undefined;
    isTaking = false;
    for (const look of [...waiting]) look();
  }

  /** One call for all. If it fails, each event asks for its own. */
  async function askTogether(events: readonly Event[], users: KnownUsers): Promise<void> {
    try {
      await retryWhileUnavailable(() => users.ask(events.flatMap(accountsIn)));
    } catch (error) {
      if (closing.signal.aborted) throw error;
    }
  }

  async function takeOne(stored: Event, users: KnownUsers, is_alone: boolean): Promise<void> {
    if (recordings.size === 0 && !concerns(world, stored)) return;
    const event = logEventOf(stored);
    if (event === undefined) return;
    try {
      await tellOne(event, users, is_alone);
    } catch (error) {
      if (closing.signal.aborted) throw error;
      // The log goes on without it: whoever reads it again would end here again.
      log.error({ err: error, event: event.id, type: event.type }, 'an event could not be told');
    }
    for (const recording of recordings) note(recording, event);
  }

  async function tellOne(event: LogEvent, users: KnownUsers, is_alone: boolean): Promise<void> {
    if (!(await prepare(event, users)) || !concerns(world, event)) return;
    deliver(event, { world, users: users.known, is_alone });
    applied++;
    options.delivered(event.created_at);
  }

  /** Whom an event concerns may change whenever this waits: sessions may end. False: nobody is told. */
  async function prepare(event: LogEvent, users: KnownUsers): Promise<boolean> {
    const guild_id = concerns(world, event) ? world.missingGuild(event) : undefined;
    // Once: of a guild without a stored state the account may have left again, and then it is still missing.
    if (guild_id !== undefined && !(await retryWhileUnavailable(() => options.loadGuild(guild_id, event))))
      return false;
    for (;;) {
      await options.revocationsApplied(); // whatever was waited for, somebody may have been logged out meanwhile
      const account_ids = concerns(world, event) ? accountsOf(event) : [];
      if (users.has(account_ids)) return true;
      await retryWhileUnavailable(() => users.ask(account_ids));
    }
  }

  const reader = keepReading<Event>({
    name: 'chat',
    log,
    read: (after, signal) =>
      chat.readEvents({ cursor: after, types: [], silence_ms: SILENCE_MS }, { signal }),
    take,
    onEventsLost: () => {
      cursor = undefined;
      seen = undefined;
      for (const recording of recordings) recording.isWhole = false;
      options.onEventsLost();
    },
  });

  return {
    betweenTransactions: (signal, act, after) =>
      new Promise((resolve, reject) => {
        const abort = (): void => {
          waiting.delete(look);
          reject(signal.reason as Error);
        };
        const look = (): void => {
          // In the midst of a page, a cursor's snapshot does not have all that was told.
          if (isTaking || cursor === undefined || seen === undefined || isMidPage) return;
          if (after !== undefined && !isAtLeast(seen, after)) return;
          waiting.delete(look);
          signal.removeEventListener('abort', abort);
          try {
            resolve(act(cursor));
          } catch (error) {
            reject(error as Error); // whoever acts, and not the log
          }
        };
        signal.addEventListener('abort', abort);
        waiting.add(look);
        look();
        if (signal.aborted) abort();
      }),
    record: () => {
      const recording: OpenRecording = { events: [], isWhole: true };
      recordings.add(recording);
      const { events } = recording;
      return { events, isWhole: () => recording.isWhole, stop: () => recordings.delete(recording) };
    },
    age_ms: () => reader.age_ms(),
    applied: () => applied,
    close: async () => {
      closing.abort();
      await reader.close();
    },
  };
}

function note(recording: OpenRecording, event: LogEvent): void {
  if (recording.events.length < MOST_RECORDED) recording.events.push(event);
  else recording.isWhole = false;
}

/** The users of one response. */
interface KnownUsers {
  readonly known: ReadonlyMap<string, User>;
  has(ids: readonly string[]): boolean;
  ask(ids: readonly string[]): Promise<void>;
}

function knownUsers(users: Users): KnownUsers {
  const asked = new Set<string>();
  const known = new Map<string, User>();
  return {
    known,
    has: (ids) => ids.every((id) => asked.has(id)),
    ask: async (ids) => {
      const missing = new Set(ids.filter((id) => !asked.has(id)));
      for (const [id, user] of await users(missing)) known.set(id, user);
      for (const id of missing) asked.add(id);
    },
  };
}

/** None of an event that cannot be told. */
function accountsIn(stored: Event): readonly string[] {
  const event = logEventOf(stored);
  try {
    return event === undefined ? [] : accountsOf(event);
  } catch {
    return [];
  }
}

/** Whether anybody here can be concerned. */
function concerns(
  world: World<EventReceiver>,
  { guild_id, account_ids }: { guild_id?: string | null | undefined; account_ids: readonly string[] },
): boolean {
  if (guild_id != null && world.guild(guild_id) !== undefined) return true;
  return account_ids.some((id) => world.account(id) !== undefined);
}
