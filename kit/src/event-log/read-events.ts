import { readCursor } from './cursor.ts';
import { invalidSilence } from './event-log-faults.ts';
import type { LoggedEvent } from './event-table.ts';
import { type EventLog, readLog } from './read-log.ts';
import { type EventResponse, responsesOf } from './responses.ts';

/** The request fields that every ReadEvents RPC has. */
export interface ReadEventsRequest {
  readonly cursor?: string | null | undefined;
  readonly silence_ms?: number | null | undefined;
  /** The wanted types; empty: all. */
  readonly types?: readonly string[];
}

const SILENCE = { min_ms: 20, max_ms: 10_000 };

/**
 * Answers a ReadEvents RPC (docs/events.md#reading): the events after the cursor, then new ones as they are written.
 *
 * @param toMessage converts a stored event to the contract's message
 * @throws BAD_REQUEST, CURSOR_TOO_OLD
 */
export function readEvents<E extends LoggedEvent, Message>(
  log: EventLog<E>,
  { cursor, silence_ms, types = [] }: ReadEventsRequest,
  toMessage: (event: E) => Message,
  signal: AbortSignal,
): AsyncGenerator<EventResponse<Message>, void, undefined> {
  const wanted = new Set(types);
  const reader = {
    start: cursor == null ? undefined : readCursor(cursor),
    wants: ({ type }: E) => wanted.size === 0 || wanted.has(type),
    silence_ms: requireSilence(silence_ms ?? SILENCE.max_ms),
  };
  return responsesOf(readLog(log, reader, signal), reader, toMessage);
}

function requireSilence(silence_ms: number): number {
  const { min_ms, max_ms } = SILENCE;
  if (silence_ms < min_ms || silence_ms > max_ms) throw invalidSilence(min_ms, max_ms);
  return silence_ms;
}
