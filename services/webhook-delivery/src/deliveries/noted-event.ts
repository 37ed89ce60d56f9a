/**
 * The event name to store. A header that does not look like a name is not stored: it may contain anything, even a
 * secret.
 */
export function notedEvent(header: string | null | undefined): string | null {
  const name = header?.trim() ?? '';
  return EVENT_NAME.test(name) ? name : null;
}

const EVENT_NAME = /^[A-Za-z][A-Za-z_. -]{0,63}$/;
