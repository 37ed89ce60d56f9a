import { invalidCursor } from './event-log-faults.ts';
import { isAtLeast, readSnapshot, type Snapshot } from './snapshot.ts';

/** A reader's position in the log (docs/events.md#cursors). */
export interface Position {
  /** The reader has received every event visible in this snapshot. */
  readonly seen: Snapshot;
  /** Between two pages: of the events visible in `upTo`, the reader also has those up to the ID `after`. */
  readonly page?: { readonly upTo: Snapshot; readonly after: string };
}

const VERSION = '1';
/** A snapshot lists the running transactions: thousands at most. */
const MAX_CURSOR_CHARACTERS = 128 * 1024;
const MAX_EVENT_ID = 2n ** 63n - 1n;

export function writeCursor({ seen, page }: Position): string {
  const parts = [VERSION, seen.text];
  if (page !== undefined) parts.push(page.upTo.text, page.after);
  return parts.join('/');
}

/** @throws BAD_REQUEST */
export function readCursor(text: string): Position {
  const position = text.length > MAX_CURSOR_CHARACTERS ? undefined : parse(text.split('/', 5));
  if (position === undefined) throw invalidCursor();
  return position;
}

/**
 * Returns the snapshot whose events a reader with this cursor has certainly received. Between two pages it has
 * received more, which only their IDs show.
 *
 * @throws BAD_REQUEST
 */
export function seenOf(cursor: string): Snapshot {
  return readCursor(cursor).seen;
}

function parse([version, first = '', second, after = '', more]: string[]): Position | undefined {
  const seen = readSnapshot(first);
  if (version !== VERSION || seen === undefined || more !== undefined) return undefined;
  if (second === undefined) return { seen };
  const upTo = readSnapshot(second);
  if (upTo === undefined || !isAtLeast(upTo, seen)) return undefined;
  if (!/^(?:0|[1-9][0-9]{0,18})$/.test(after) || BigInt(after) > MAX_EVENT_ID) return undefined;
  return { seen, page: { upTo, after } };
}
