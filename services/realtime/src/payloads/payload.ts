/** What sessions are told. */
export interface Payload {
  /** The event's name. */
  readonly t: string;
  /** JSON text. */
  readonly d: string;
}
