import { hash, timingSafeEqual } from 'node:crypto';
import type { Challenge } from '../store/insert-code.ts';

const UNRESERVED = /^[A-Za-z0-9\-._~]+$/;

/** Whether a challenge or verifier is well-formed: 43–128 unreserved characters, or 1–128 for plain. */
export function isPkceText(text: string, method: Challenge['code_challenge_method']): boolean {
  const min = method === 'S256' ? 43 : 1;
  return text.length >= min && text.length <= 128 && UNRESERVED.test(text);
}

/** Whether a verifier matches a code's challenge. Without a challenge there must be no verifier. */
export function provesChallenge(challenge: Challenge | undefined, verifier: string | undefined): boolean {
  if (challenge === undefined || verifier === undefined)
    return challenge === undefined && verifier === undefined;
  const { code_challenge, code_challenge_method } = challenge;
  if (!isPkceText(verifier, code_challenge_method)) return false;
  return sameText(
    code_challenge_method === 'S256' ? hash('sha256', verifier, 'base64url') : verifier,
    code_challenge,
  );
}

function sameText(given: string, expected: string): boolean {
  const [a, b] = [Buffer.from(given), Buffer.from(expected)];
  return a.length === b.length && timingSafeEqual(a, b);
}
