/** An event as it is sent: the same bytes for all who get it, after their own `s`. */
export interface Dispatch {
  /** Its name. */
  readonly t: string;
  /** All of the frame after the number: `,"t":"…","d":…}`. */
  readonly rest: Buffer;
}

/** @param d JSON text */
export function dispatchOf(t: string, d: string): Dispatch {
  return { t, rest: Buffer.from(`,"t":"${t}","d":${d}}`) };
}

/** The JSON text of `d`. */
export function textOf({ t, rest }: Dispatch): string {
  return rest.toString('utf8', dispatchOf(t, '').rest.length - 1, rest.length - 1);
}
