import type { EventName } from '../event-names.ts';

/** An event for clients. */
export interface Payload {
  readonly t: EventName;
  /** JSON text. */
  readonly d: string;
}
