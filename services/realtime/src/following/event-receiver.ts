import type { Dispatch } from '../connections/dispatch.ts';

/** How a resume gets an event again: by its ID in chat's log, or as the kept dispatch. */
export type ReplayEntry = number | Dispatch;

/** An event for a session. */
export interface SessionEvent {
  readonly entry: ReplayEntry;
  readonly dispatch: Dispatch;
  /** The transaction in chat's log that wrote it; undefined for events of other origin. */
  readonly xact_id: string | undefined;
}

/** Receives an account's events: a session, or the buffer of an account whose sessions are being transferred here. */
export interface EventReceiver {
  receive(event: SessionEvent): void;
}
