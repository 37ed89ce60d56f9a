import type { ReadEventsResponse } from '@gatehouse/proto/chat';
import type { StoredEvent } from '../store/event-log.ts';
import { type Position, writeCursor } from './cursor.ts';
import type { Part } from './read-log.ts';

/** So long a response is ended: a client reads some ahead. */
const RESPONSE_CHARACTERS = 64 * 1024;
/** A part without wanted events is told of only so often. */
const SILENT_MS = 10_000;

/** Parts of the log as responses with the events of the wanted types; none are named: of all. */
export async function* responsesOf(
  parts: AsyncIterable<Part>,
  types: readonly string[],
): AsyncGenerator<ReadEventsResponse, void, undefined> {
  const wanted = types.length === 0 ? undefined : new Set(types);
  let givenAt_ms = Number.NEGATIVE_INFINITY;
  for await (const part of parts) {
    const events = wanted === undefined ? part.events : part.events.filter(({ type }) => wanted.has(type));
    if (events.length === 0 && performance.now() - givenAt_ms < SILENT_MS - SLACK_MS) continue;
    yield* split(part, events);
    givenAt_ms = performance.now();
  }
}

/** The timers of two clocks do not agree to the millisecond. */
const SLACK_MS = 100;

function* split(part: Part, wanted: readonly StoredEvent[]): Generator<ReadEventsResponse> {
  let from = 0;
  let characters = 0;
  for (const [index, event] of wanted.entries()) {
    characters += event.payload.length;
    if (characters < RESPONSE_CHARACTERS || index === wanted.length - 1) continue;
    yield { events: wanted.slice(from, index + 1).map(toEvent), cursor: writeCursor(after(part, event.id)) };
    from = index + 1;
    characters = 0;
  }
  yield { events: wanted.slice(from).map(toEvent), cursor: writeCursor(endOf(part)) };
}

function endOf(part: Part): Position {
  const last = part.events.at(-1);
  return part.whole || last === undefined ? { seen: part.upTo } : after(part, last.id);
}

function after({ seen, upTo }: Part, id: string): Position {
  return { seen, page: { upTo, after: id } };
}

function toEvent({ account_ids, ...event }: StoredEvent): ReadEventsResponse['events'][number] {
  return { ...event, account_ids: [...(account_ids ?? [])] };
}
