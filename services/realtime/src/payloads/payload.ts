/** An event for clients. */
export interface Payload {
  /** The event's name. */
  readonly t: string;
  /** JSON text. */
  readonly d: string;
}
