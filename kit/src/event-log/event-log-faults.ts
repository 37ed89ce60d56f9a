import { type Fault, kitFault } from '../fault.ts';

/** The reader may have missed events, and must start over (docs/events.md#too-old). */
export function cursorTooOld(): Fault {
  return kitFault('CURSOR_TOO_OLD');
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
  return kitFault('BAD_REQUEST', { message });
}
