import { type Position, writeCursor } from './cursor.ts';
import { charactersOf, type LoggedEvent } from './event-table.ts';
import type { LogPage, LogReader } from './read-log.ts';

export interface EventResponse<Message> {
  events: Message[];
  /** The position after these events. */
  cursor: string;
}

/** A response that reaches this length is sent, and the next one begun: a client reads some responses ahead. */
const RESPONSE_CHARACTERS = 64 * 1024;
/** Tolerance for timers, which differ by some milliseconds. */
const SLACK = 0.9;

/** Turns pages of the log into responses with the events that the reader wants, each converted by `toMessage`. */
export async function* responsesOf<E extends LoggedEvent, Message>(
  pages: AsyncIterable<LogPage<E>>,
  { wants, silence_ms }: Pick<LogReader<E>, 'wants' | 'silence_ms'>,
  toMessage: (event: E) => Message,
): AsyncGenerator<EventResponse<Message>, void, undefined> {
  let sentAt_ms = Number.NEGATIVE_INFINITY;
  for await (const page of pages) {
    const events = page.events.filter(wants);
    if (events.length === 0 && performance.now() - sentAt_ms < silence_ms * SLACK) continue;
    yield* split(page, events, toMessage);
    sentAt_ms = performance.now();
  }
}

function* split<E extends LoggedEvent, Message>(
  page: LogPage<E>,
  wanted: readonly E[],
  toMessage: (event: E) => Message,
): Generator<EventResponse<Message>> {
  let from = 0;
  let characters = 0;
  for (const [index, event] of wanted.entries()) {
    characters += charactersOf(event);
    if (characters < RESPONSE_CHARACTERS || index === wanted.length - 1) continue;
    yield {
      events: wanted.slice(from, index + 1).map(toMessage),
      cursor: writeCursor(positionAfterEvent(page, event.id)),
    };
    from = index + 1;
    characters = 0;
  }
  yield { events: wanted.slice(from).map(toMessage), cursor: writeCursor(positionAfter(page)) };
}

function positionAfter(page: LogPage<LoggedEvent>): Position {
  const lastEvent = page.events.at(-1);
  return page.last || lastEvent === undefined ? { seen: page.upTo } : positionAfterEvent(page, lastEvent.id);
}

function positionAfterEvent({ seen, upTo }: LogPage<LoggedEvent>, id: string): Position {
  return { seen, page: { upTo, after: id } };
}
