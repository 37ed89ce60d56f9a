import { expect, test } from 'vitest';
import { cappedFactOf } from '../src/output/facts.ts';

test('a count that ended at its maximum says so', () => {
  expect(cappedFactOf({ accounts: 9_999 }, 10_000, 'accounts')).toBe('9999');
  expect(cappedFactOf({ accounts: 10_000 }, 10_000, 'accounts')).toBe('10000+');
  expect(cappedFactOf({}, 10_000, 'accounts')).toBeUndefined();
});
