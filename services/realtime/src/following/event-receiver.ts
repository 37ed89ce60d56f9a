import type { Dispatch } from '../connections/dispatch.ts';

/** Where an event can be had again for a resume: by its ID in chat's log, or else as it was sent. */
export type Position = number | Dispatch;

/** An event that a session is told of. */
export interface SessionEvent {
  readonly position: Position;
  readonly dispatch: Dispatch;
  /** The transaction in chat's log that it comes from; undefined: it comes from elsewhere. */
  readonly xact_id: string | undefined;
}

/** Whoever is told of an account's events: a session, or what gathers them for one that is about to come. */
export interface EventReceiver {
  tell(told: SessionEvent): void;
}
