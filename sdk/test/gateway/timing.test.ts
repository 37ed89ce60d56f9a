import { expect, it } from 'vitest';
import { delayBefore, TIMING } from '../../src/gateway/timing.ts';

it.each([
  [1, 0, 0],
  [1, 0.5, 500],
  [2, 0, 1_000],
  [2, 1, 2_000],
  [5, 0, 8_000],
  [6, 1, 30_000],
  [1_000, 1, 30_000],
])('the delay before attempt %i, with the random number %d, is %i ms', (attempt, random, ms) => {
  expect(delayBefore(attempt, TIMING, random)).toBe(ms);
});

it('the delay is random by default', () => {
  const delays = new Set(Array.from({ length: 20 }, () => delayBefore(3, TIMING)));
  expect(delays.size).toBeGreaterThan(1);
});
