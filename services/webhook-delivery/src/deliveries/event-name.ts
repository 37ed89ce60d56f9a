/** The event name in a header. Null if the header is no name: anything else may be a secret, and is not stored. */
export function eventName(header: string | null | undefined): string | null {
  const name = header?.trim() ?? '';
  return EVENT_NAME.test(name) ? name : null;
}

const EVENT_NAME = /^[A-Za-z][A-Za-z_. -]{0,63}$/;
