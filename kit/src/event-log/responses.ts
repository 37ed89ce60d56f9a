import { type Position, writeCursor } from './cursor.ts';
import { charactersOf, type LoggedEvent } from './event-table.ts';
import type { Part, Reader } from './read-log.ts';

export interface EventResponse<Shown> {
  events: Shown[];
  /** Where to go on after these events. */
  cursor: string;
}

/** So long a response is ended: a client reads some ahead. */
const RESPONSE_CHARACTERS = 64 * 1024;
/** The timers of two clocks do not agree to the millisecond. */
const SLACK = 0.9;

/** Parts of the log as responses with the events that the reader wants, as they are shown. */
export async function* responsesOf<E extends LoggedEvent, Shown>(
  parts: AsyncIterable<Part<E>>,
  { wants, silence_ms }: Pick<Reader<E>, 'wants' | 'silence_ms'>,
  show: (event: E) => Shown,
): AsyncGenerator<EventResponse<Shown>, void, undefined> {
  let givenAt_ms = Number.NEGATIVE_INFINITY;
  for await (const part of parts) {
    const events = part.events.filter(wants);
    if (events.length === 0 && performance.now() - givenAt_ms < silence_ms * SLACK) continue;
    yield* split(part, events, show);
    givenAt_ms = performance.now();
  }
}

function* split<E extends LoggedEvent, Shown>(
  part: Part<E>,
  wanted: readonly E[],
  show: (event: E) => Shown,
): Generator<EventResponse<Shown>> {
  let from = 0;
  let characters = 0;
  for (const [index, event] of wanted.entries()) {
    characters += charactersOf(event);
    if (characters < RESPONSE_CHARACTERS || index === wanted.length - 1) continue;
    yield { events: wanted.slice(from, index + 1).map(show), cursor: writeCursor(after(part, event.id)) };
    from = index + 1;
    characters = 0;
  }
  yield { events: wanted.slice(from).map(show), cursor: writeCursor(endOf(part)) };
}

function endOf(part: Part<LoggedEvent>): Position {
  const last = part.events.at(-1);
  return part.whole || last === undefined ? { seen: part.upTo } : after(part, last.id);
}

function after({ seen, upTo }: Part<LoggedEvent>, id: string): Position {
  return { seen, page: { upTo, after: id } };
}
