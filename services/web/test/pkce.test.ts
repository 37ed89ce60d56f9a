import { expect, test } from 'vitest';
import {
  challengeOf,
  challengeProblem,
  newPkcePair,
  randomText,
} from '../src/developers/authorization/pkce.ts';

test('the challenge is that of RFC 7636, appendix B', async () => {
  const challenge = await challengeOf('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
  expect(challenge).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
});

test('a pair has a fresh verifier and its challenge', async () => {
  const [one, two] = [await newPkcePair(), await newPkcePair()];
  expect(one.verifier).toMatch(/^[A-Za-z0-9_-]{43}$/);
  expect(one.challenge).toBe(await challengeOf(one.verifier));
  expect(one.verifier).not.toBe(two.verifier);
  expect(new Set(Array.from({ length: 100 }, randomText)).size).toBe(100);
});

test('a challenge is empty or has 43 to 128 unreserved characters', () => {
  for (const good of ['', 'a'.repeat(43), '~._-'.repeat(32)]) expect(challengeProblem(good)).toBeUndefined();
  for (const wrong of ['a', 'a'.repeat(42), 'a'.repeat(129), `${'a'.repeat(43)}=`])
    expect(challengeProblem(wrong)).toContain('43 to 128');
});
