import { Fault, Status } from '@gatehouse/kit/fault';
import type { Event, ReadEventsRequest } from '@gatehouse/proto/chat';
import { expect } from 'vitest';
import type { ChatClient, ChatFixture } from '../support/start-chat.ts';

/** A reader of the event log that keeps its events. */
export interface EventReader {
  readonly events: Event[];
  /** The number of events, and the cursor, after each response. */
  readonly cursors: { readonly count: number; readonly cursor: string }[];
  /** Settles when an event of this type is read. */
  until(type: string): Promise<Event[]>;
  /** Ends the stream. Returns the cursor to continue from. */
  close(): Promise<string>;
  /** The error that ended the stream; undefined after `close`. */
  readonly ended: Promise<Fault | undefined>;
}

/** Begins to read. Events written after it settles are read. */
export async function openReader(
  chat: ChatClient,
  request: Partial<ReadEventsRequest> = {},
): Promise<EventReader> {
  const events: Event[] = [];
  const cursors: { count: number; cursor: string }[] = [];
  const controller = new AbortController();
  const begun = Promise.withResolvers<void>();

  async function read(): Promise<Fault | undefined> {
    try {
      for await (const response of chat.readEvents(
        { types: [], ...request },
        { signal: controller.signal },
      )) {
        events.push(...response.events);
        cursors.push({ count: events.length, cursor: response.cursor });
        begun.resolve();
      }
      return undefined;
    } catch (error) {
      begun.reject(error);
      if (!(error instanceof Fault)) throw error;
      return error.status === Status.CANCELLED ? undefined : error;
    }
  }

  const ended = read();
  await begun.promise;
  return {
    events,
    cursors,
    ended,
    until: async (type) => {
      await expect.poll(() => events.some((event) => event.type === type), { interval: 5 }).toBe(true);
      return events;
    },
    close: async () => {
      controller.abort();
      await ended;
      return cursors.at(-1)?.cursor ?? '';
    },
  };
}

/** Reads up to an event of this type, changing replicas whenever a stream ends or after `ms`. */
export async function readByTurns(
  replicas: readonly ChatClient[],
  cursor: string,
  last: string,
  ms = Number.POSITIVE_INFINITY,
): Promise<Event[]> {
  const events: Event[] = [];
  let from = cursor;
  for (let turn = 0; !events.some(({ type }) => type === last); turn++) {
    const chat = replicas[turn % replicas.length] as ChatClient;
    const startedAt = performance.now();
    try {
      for await (const response of chat.readEvents({ cursor: from, types: [] })) {
        events.push(...response.events);
        from = response.cursor;
        if (performance.now() - startedAt > ms || response.events.some(({ type }) => type === last)) break;
      }
    } catch (error) {
      if (!(error instanceof Fault) || error.status !== Status.UNAVAILABLE) throw error;
    }
  }
  return events;
}

/** The log's current cursor. */
export async function cursorOf(chat: ChatClient): Promise<string> {
  return (await openReader(chat)).close();
}

/** Writes an event without meaning. */
export async function mark({ sql }: ChatFixture, type: string): Promise<void> {
  await sql.query(`INSERT INTO events (type, payload) VALUES ($1, '{}')`, [type]);
}

export const payloadOf = ({ payload }: Event): Record<string, unknown> => JSON.parse(payload);
