import { expect, it } from 'vitest';
import { newToken, tokensEqual } from '../../src/webhooks/token.ts';

it('a token is 64 alphanumeric characters, each equally likely', () => {
  const tokens = Array.from({ length: 2000 }, newToken);
  expect(new Set(tokens).size).toBe(tokens.length);
  const counts = new Map<string, number>();
  for (const token of tokens) {
    expect(token).toMatch(/^[A-Za-z0-9]{64}$/);
    for (const character of token) counts.set(character, (counts.get(character) ?? 0) + 1);
  }
  // 2,065 of each are expected, with a standard deviation of 45.
  expect(counts.size).toBe(62);
  for (const count of counts.values()) expect(Math.abs(count - (2000 * 64) / 62)).toBeLessThan(45 * 7);
});

it('a token matches only as a whole', () => {
  const token = newToken();
  expect(tokensEqual(token, token)).toBe(true);
  for (const other of ['', token.slice(1), `${token}x`, token.toLowerCase(), newToken()]) {
    expect(tokensEqual(other, token)).toBe(false);
  }
});
