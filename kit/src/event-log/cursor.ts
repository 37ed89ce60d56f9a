import { invalidCursor } from './event-log-faults.ts';
import { isAtLeast, readSnapshot, type Snapshot } from './snapshot.ts';

/** How much of the log a reader has had (docs/events.md#cursors). */
export interface Position {
  /** All that is visible in it. */
  readonly seen: Snapshot;
  /** And of what is visible in `upTo`, the events up to the ID `after`. */
  readonly page?: { readonly upTo: Snapshot; readonly after: string };
}

const VERSION = '1';
/** A snapshot names the transactions that run: thousands at most. */
const MAX_LENGTH = 128 * 1024;
const MAX_ID = 2n ** 63n - 1n;

export function writeCursor({ seen, page }: Position): string {
  const parts = [VERSION, seen.text];
  if (page !== undefined) parts.push(page.upTo.text, page.after);
  return parts.join('/');
}

/** @throws BAD_REQUEST */
export function readCursor(text: string): Position {
  const position = text.length > MAX_LENGTH ? undefined : parse(text.split('/', 5));
  if (position === undefined) throw invalidCursor();
  return position;
}

/**
 * What a reader has certainly had that goes on from this cursor. One from the middle of a page has had some more of it,
 * but which transactions is told by IDs alone.
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
  if (!/^(?:0|[1-9][0-9]{0,18})$/.test(after) || BigInt(after) > MAX_ID) return undefined;
  return { seen, page: { upTo, after } };
}
