import type { Session } from '@gatehouse/proto/auth';

/** The name of a session's device, such as "Firefox on Linux". */
export function deviceName({ client_info }: Pick<Session, 'client_info'>): string {
  const { browser, os } = client_info ?? {};
  if (browser && os) return `${browser} on ${os}`;
  if (os) return `A device with ${os}`;
  return browser || 'An unknown device';
}

/** The current session first; the others keep their order. */
export function currentFirst<T extends Pick<Session, 'current'>>(sessions: readonly T[]): readonly T[] {
  return [...sessions.filter(({ current }) => current), ...sessions.filter(({ current }) => !current)];
}
