import type { SignInCookie } from '@gatehouse/proto/auth';
import { type BrowserSession, KEPT_SECONDS } from '../store/sessions/browser-sessions.ts';

/** The cookie of a browser session. Without a maximum age the browser drops it when it is closed. */
export function signInCookie(
  secret: string,
  { stay_signed_in }: Pick<BrowserSession, 'stay_signed_in'>,
): SignInCookie {
  return { secret, max_age_seconds: stay_signed_in ? KEPT_SECONDS : undefined };
}

/** Whether this may be a cookie's value: 32 random bytes in base64url. */
export function isCookieSecret(text: string): boolean {
  return /^[A-Za-z0-9_-]{43}$/.test(text);
}
