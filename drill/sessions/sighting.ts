/** What a client of the Gateway saw. Times are those of performance.now(). */
export interface Sighting {
  /** Of which it is to be told. */
  readonly channels: readonly string[];
  /** Its sessions, one after the other. */
  readonly lives: readonly Life[];
  /** Of connections that were ready or resumed: a close code, `op 7`, or `left` where the client gave it up. */
  readonly ends: { readonly at: number; readonly how: string }[];
  /** When it was ready or had resumed. */
  readonly returns: { readonly at: number; readonly how: 'resumed' | 'identified' }[];
  /** When connections ended that had not come so far. */
  readonly failed_attempts: number[];
  /** When an event came whose `s` was not the next. */
  readonly out_of_turn: number[];
}

/** A session, over all its connections. */
export interface Life {
  /** The newest message of each channel that had one when it began. */
  readonly after: ReadonlyMap<string, string>;
  /** In the order in which they came. */
  readonly told: Told[];
}

/** A message, and when the client was told of it. */
export interface Told {
  readonly id: string;
  readonly channel_id: string;
  readonly at: number;
}

/** A message that is stored. */
export type Posted = Pick<Told, 'id' | 'channel_id'>;
