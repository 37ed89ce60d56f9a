import { UserFacingError } from '../../shared/api/user-facing-error.ts';
import { i18n } from '../../shared/i18n/i18n.ts';

/** A PKCE verifier and its challenge (RFC 7636). */
export interface PkcePair {
  readonly verifier: string;
  readonly challenge: string;
}

export async function newPkcePair(): Promise<PkcePair> {
  const verifier = randomText();
  return { verifier, challenge: await challengeOf(verifier) };
}

/**
 * The S256 challenge of a verifier.
 *
 * @throws UserFacingError outside a secure context, where the browser has no SHA-256
 */
export async function challengeOf(verifier: string): Promise<string> {
  if (crypto.subtle === undefined)
    throw new UserFacingError(
      i18n._('Only a secure page can make a challenge: open this one with https, or on localhost.'),
    );
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier));
  return base64url(new Uint8Array(digest));
}

/** 32 random bytes as 43 unreserved characters, for a verifier or a state. */
export function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)));
}

/** The error of an S256 challenge, as text. An empty one is valid: it means no PKCE. */
export function challengeProblem(text: string): string | undefined {
  if (text === '' || /^[A-Za-z0-9\-._~]{43,128}$/.test(text)) return undefined;
  return i18n._('A challenge has 43 to 128 letters, digits, “-”, “.”, “_” and “~”.');
}

function base64url(bytes: Uint8Array): string {
  const text = btoa(String.fromCharCode(...bytes));
  return text.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}
