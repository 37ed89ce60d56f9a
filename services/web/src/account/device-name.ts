import type { Session } from '@gatehouse/proto/auth';
import { i18n } from '../shared/i18n/i18n.ts';

/** The name of a session's device, such as "Firefox on Linux". */
export function deviceName({ client_info }: Pick<Session, 'client_info'>): string {
  const { browser, os } = client_info ?? {};
  if (browser && os) return i18n._('{browser} on {os}', { browser, os });
  if (os) return i18n._('A device with {os}', { os });
  return browser || i18n._('An unknown device');
}

/** The current session first; the others keep their order. */
export function currentFirst<T extends Pick<Session, 'current'>>(sessions: readonly T[]): readonly T[] {
  return [...sessions.filter(({ current }) => current), ...sessions.filter(({ current }) => !current)];
}
