import { expect, test } from 'vitest';
import { type Amount, fixedExcess, holdsOf, leakyExcess, leaseExcess } from './bounds.ts';

const SECOND_US = 1_000_000;
/** Tokens decided between two times in milliseconds. */
const amount = (tokens: number, from_ms: number, to_ms = from_ms): Amount => ({
  tokens,
  start_us: from_ms * 1000,
  end_us: to_ms * 1000,
});

test('the oracle sees one token too many in a leaky bucket, wherever its interval begins', () => {
  const limit = { limit: 10, window_us: SECOND_US };
  expect(leakyExcess(limit, [amount(10, 0), amount(1, 100)])).toBe(0);
  expect(leakyExcess(limit, [amount(10, 0), amount(1, 99)])).toBe(1);
  expect(leakyExcess(limit, [amount(1, 0), amount(10, 5000), amount(3, 5200)])).toBe(1);
  expect(leakyExcess(limit, [amount(10, 0), amount(3, 0, 300)])).toBe(0); // it may have been decided last
  expect(leakyExcess(limit, [amount(10, 0), amount(4, 0, 300)])).toBe(1);
});

test('the oracle counts what was returned in an interval, and nothing that was returned before it', () => {
  const limit = { limit: 10, window_us: SECOND_US };
  expect(leakyExcess(limit, [amount(10, 0), amount(2, 10)], [amount(2, 5)])).toBe(0);
  expect(leakyExcess(limit, [amount(10, 0), amount(3, 10)], [amount(2, 5)])).toBe(1);
  expect(leakyExcess(limit, [amount(12, 10)], [amount(2, 5)])).toBe(2);
  expect(leakyExcess(limit, [amount(12, 10)], [amount(2, 15)])).toBe(2);
});

test('the oracle sees one token too many in a fixed window, and allows each window its limit', () => {
  const limit = { limit: 10, window_us: SECOND_US };
  expect(fixedExcess(limit, [amount(10, 999), amount(10, 1000)])).toBe(0);
  expect(fixedExcess(limit, [amount(10, 999), amount(11, 1000)])).toBe(1);
  expect(fixedExcess(limit, [amount(10, 500), amount(1, 999, 1000)])).toBe(0);
  expect(fixedExcess(limit, [amount(10, 500), amount(10, 1500), amount(1, 999, 1000)])).toBe(1);
  expect(fixedExcess(limit, [amount(12, 500)], [amount(2, 700)])).toBe(0);
  expect(fixedExcess(limit, [amount(12, 1500)], [amount(2, 700)])).toBe(2);
});

test('the oracle sees one permit too many, and none after a release or an expiry', () => {
  const lease = (permits: number, from_ms: number, released_ms: number) =>
    holdsOf(SECOND_US, [
      { ...amount(permits, from_ms), granted: true },
      { ...amount(0, released_ms), granted: false },
    ]);
  expect(leaseExcess(5, [...lease(3, 0, 500), ...lease(2, 100, 200)])).toBe(0);
  expect(leaseExcess(5, [...lease(3, 0, 500), ...lease(3, 499, 600)])).toBe(1);
  expect(leaseExcess(5, [...lease(3, 0, 500), ...lease(5, 500, 600)])).toBe(0);
  expect(leaseExcess(5, [...lease(5, 0, 9000), ...lease(5, 1000, 1500)])).toBe(0);
  expect(leaseExcess(5, [...lease(5, 0, 9000), ...lease(5, 999, 1500)])).toBe(5);
  const renewed = holdsOf(SECOND_US, [
    { ...amount(1, 0), granted: true },
    { ...amount(5, 900), granted: true },
  ]);
  expect(leaseExcess(5, [...renewed, ...lease(1, 1800, 1850)])).toBe(1);
});
