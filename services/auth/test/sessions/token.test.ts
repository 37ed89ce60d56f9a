import { expect, test } from 'vitest';
import { isSessionToken, newSessionToken } from '../../src/sessions/token.ts';

test('session tokens use letters and digits evenly and do not repeat', () => {
  const tokens = Array.from({ length: 2_000 }, newSessionToken);
  expect(new Set(tokens).size).toBe(tokens.length);
  expect(tokens.every(isSessionToken)).toBe(true);

  const counts = new Map<string, number>();
  for (const character of tokens.flatMap((token) => [...token.slice(4)])) {
    counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  expect(counts.size).toBe(62);
  // Chi-square with 61 degrees of freedom: above 130 in fewer than one run of a million. A bias by a
  // remainder modulo 256 (8 of 62 characters a quarter more likely) gives about 400.
  const expected = (2_000 * 36) / 62;
  const chiSquare = [...counts.values()].reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
  expect(chiSquare).toBeLessThan(130);
});
