/** The log of a client of the Gateway. Times are from performance.now(). */
export interface ClientLog {
  /** The channels whose messages it receives. */
  readonly channels: readonly string[];
  /** Its sessions, one after the other. */
  readonly sessions: readonly SessionLog[];
  /** Ends of connections that were ready or resumed: a close code, `op 7`, or `left` if the client closed it. */
  readonly disconnects: { readonly at: number; readonly how: string }[];
  /** When READY or RESUMED arrived. */
  readonly returns: { readonly at: number; readonly how: 'resumed' | 'identified' }[];
  /** When connections ended before READY or RESUMED. */
  readonly failed_attempts: number[];
  /** When an event arrived whose `s` was not the next. */
  readonly out_of_order: number[];
}

/** A session, over all its connections. */
export interface SessionLog {
  /** The newest message of each channel when the session began. */
  readonly after: ReadonlyMap<string, string>;
  /** In the order of their arrival. */
  readonly received: ReceivedMessage[];
}

/** A message, and when its event arrived. */
export interface ReceivedMessage {
  readonly id: string;
  readonly channel_id: string;
  readonly at: number;
}

/** A message in chat's database. */
export type StoredMessage = Pick<ReceivedMessage, 'id' | 'channel_id'>;
