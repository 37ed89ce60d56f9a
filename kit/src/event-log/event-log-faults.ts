import { Fault, Status } from '../fault.ts';

/** The reader may have missed events, and must start over (docs/events.md#too-old). */
export function cursorTooOld(): Fault {
  const message = 'Events after this cursor have left the log, or it is from another database.';
  return new Fault({ status: Status.OUT_OF_RANGE, reason: 'CURSOR_TOO_OLD', message });
}

/** 400: the cursor is malformed. */
export function invalidCursor(): Fault {
  return badRequest('The cursor is not one that ReadEvents gave.');
}

/** 400: the silence is out of range. */
export function invalidSilence(min_ms: number, max_ms: number): Fault {
  return badRequest(`silence_ms is between ${min_ms} and ${max_ms}.`);
}

function badRequest(message: string): Fault {
  return new Fault({ status: Status.INVALID_ARGUMENT, reason: 'BAD_REQUEST', message });
}
