import type { EventName } from '../event-names.ts';

/** An event as it is sent: all receivers get the same bytes after their own `s`. */
export interface Dispatch {
  readonly t: EventName;
  /** The frame's text after `s`: `,"t":"…","d":…}`. */
  readonly rest: Buffer;
  /** The same bytes as a latin1 string, for a short event that is alone in its turn of the event loop. */
  readonly rest_latin1: string | undefined;
}

/** Longer events are sent from the shared buffer instead of a copy per session. */
const MAX_COPIED_BYTES = 4_096;

/**
 * @param d JSON text
 * @param isOnlyEvent whether its receivers get no other event in this turn of the event loop
 */
export function dispatchOf(t: EventName, d: string, isOnlyEvent = false): Dispatch {
  const rest = Buffer.from(`,"t":"${t}","d":${d}}`);
  const isCopied = isOnlyEvent && rest.length <= MAX_COPIED_BYTES;
  return { t, rest, rest_latin1: isCopied ? rest.toString('latin1') : undefined };
}

/** Returns the JSON text of `d`. */
export function dispatchData({ t, rest }: Dispatch): string {
  return rest.toString('utf8', dispatchOf(t, '').rest.length - 1, rest.length - 1);
}
