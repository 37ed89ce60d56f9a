/**
 * The name of an event as it is noted. What does not look like one is not: a header may hold anything, even a secret.
 */
export function notedEvent(header: string | null | undefined): string | null {
  const name = header?.trim() ?? '';
  return EVENT_NAME.test(name) ? name : null;
}

const EVENT_NAME = /^[A-Za-z][A-Za-z_. -]{0,63}$/;
