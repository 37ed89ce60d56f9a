/** An event as it is sent: the same bytes for all who get it, after their own `s`. */
export interface Dispatch {
  /** Its name. */
  readonly t: string;
  /** All of the frame after the number: `,"t":"…","d":…}`. */
  readonly rest: Buffer;
  /** The same bytes, a character each, where they are few and no further event follows in this turn of the event loop. */
  readonly rest_latin1: string | undefined;
}

/** Longer events are better sent from where they are than copied for each session. */
const MAX_COPIED_BYTES = 4_096;

/**
 * @param d JSON text
 * @param is_alone whether those who are told of it are told of nothing else in this turn of the event loop
 */
export function dispatchOf(t: string, d: string, is_alone = false): Dispatch {
  const rest = Buffer.from(`,"t":"${t}","d":${d}}`);
  const isCopied = is_alone && rest.length <= MAX_COPIED_BYTES;
  return { t, rest, rest_latin1: isCopied ? rest.toString('latin1') : undefined };
}

/** The JSON text of `d`. */
export function textOf({ t, rest }: Dispatch): string {
  return rest.toString('utf8', dispatchOf(t, '').rest.length - 1, rest.length - 1);
}
