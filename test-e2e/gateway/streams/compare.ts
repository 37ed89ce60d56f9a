import { ABSENT } from './event-keys.ts';
import type { ExpectedStream, ExpectedStreams } from './expected.ts';
import type { KeyedEvent, ReceivedStream, Segment } from './received-stream.ts';

export interface Compared {
  /** Differences, as readable text. */
  readonly problems: readonly string[];
  /** Number of compared events. */
  readonly events: number;
}

/**
 * Compares a reader's events with the log. Each segment must start at a position of the log with the state that the
 * session was shown, and continue without gap, duplicate or extra event; the last segment must reach the end.
 */
export function compare(
  {
    name,
    account_id,
    received,
  }: { readonly name: string; readonly account_id: string; readonly received: ReceivedStream },
  streams: ExpectedStreams,
): Compared {
  const problems: string[] = [];
  let events = 0;
  for (const [index, segment] of received.segments.entries()) {
    const isLast = index === received.segments.length - 1;
    const scopes = new Set([
      ...streams.scopesOf(account_id),
      ...segment.receivedEvents.keys(),
      ...segment.starts.keys(),
    ]);
    for (const scope of scopes) {
      if (segment.promised.has(scope)) continue; // the connection ended before GUILD_CREATE
      const receivedEvents = segment.receivedEvents.get(scope) ?? [];
      events += receivedEvents.length;
      const start = segment.starts.get(scope) ?? ABSENT;
      const problem = problemOf(receivedEvents, start, streams.of(account_id, scope), isLast);
      if (problem === undefined) continue;
      const place = `${name}, session ${index + 1} of ${received.segments.length} (${segment.session_id})`;
      problems.push(`${place}, guild or channel ${scope}: ${problem}\n${historyOf(segment)}`);
    }
  }
  return { problems, events };
}

function problemOf(
  receivedEvents: readonly KeyedEvent[],
  start: string,
  expected: ExpectedStream,
  isLast: boolean,
): string | undefined {
  const places = expected.placesOf(start);
  if (places.length === 0) return noPlace(receivedEvents, expected);
  let best = { place: 0, same: -1 };
  for (const place of places) {
    const same = sameFrom(receivedEvents, expected.keys, place);
    if (same === receivedEvents.length && (!isLast || place + same === expected.keys.length))
      return undefined;
    // Keep the position with the longest common run.
    if (same > best.same) best = { place, same };
  }
  return difference(receivedEvents, expected, best.place, best.same);
}

function sameFrom(receivedEvents: readonly KeyedEvent[], keys: readonly string[], place: number): number {
  let same = 0;
  while (same < receivedEvents.length && receivedEvents[same]?.key === keys[place + same]) same++;
  return same;
}

const AROUND = 3;

function difference(
  receivedEvents: readonly KeyedEvent[],
  expected: ExpectedStream,
  place: number,
  same: number,
): string {
  const at = place + same;
  const receivedLines = receivedEvents
    .slice(Math.max(0, same - AROUND), same + AROUND + 1)
    .map(({ s, key }, n) => `${n + Math.max(0, same - AROUND) === same ? '>' : ' '} s ${s}: ${key}`);
  const first = Math.max(0, at - AROUND);
  const expectedLines = expected.keys
    .slice(first, at + AROUND + 1)
    .map((key, n) => `${n + first === at ? '>' : ' '} event ${expected.event_ids[n + first]}: ${key}`);
  const wrong = receivedEvents[same]?.key;
  const elsewhere = wrong === undefined ? -1 : expected.keys.indexOf(wrong);
  const hint =
    wrong === undefined
      ? 'the stream ends too early'
      : elsewhere < 0
        ? 'this event is unexpected'
        : `this event is expected at ${elsewhere}, not at ${at} of ${expected.keys.length}`;
  return [
    `after ${same} of ${receivedEvents.length} from place ${place}: ${hint}`,
    ' received:',
    ...receivedLines,
    ' expected:',
    ...expectedLines,
  ].join('\n  ');
}

function noPlace(receivedEvents: readonly KeyedEvent[], expected: ExpectedStream): string {
  const lines = receivedEvents.slice(0, AROUND).map(({ s, key }) => `s ${s}: ${key}`);
  const first = receivedEvents[0] === undefined ? -1 : expected.keys.indexOf(receivedEvents[0].key);
  return [
    `the log never had the state that the session was shown first; its first event is expected at ${first}`,
    ...lines,
  ].join('\n  ');
}

function historyOf({ history }: Segment): string {
  return history.map((line) => `    ${line}`).join('\n');
}
