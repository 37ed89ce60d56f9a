import { expect, test } from 'vitest';
import { addressResolver } from '../../src/net/resolve-addresses.ts';

test('returns addresses unchanged, without duplicates, and those of a name with its port', async () => {
  const resolve = addressResolver('192.0.2.1:80, [2001:db8::1]:81,192.0.2.1:80,localhost:82');
  const found = await resolve();
  expect(found.slice(0, 2)).toEqual(['192.0.2.1:80', '[2001:db8::1]:81']);
  const behind = found.slice(2);
  expect(behind.length).toBeGreaterThan(0);
  for (const one of behind) expect(['127.0.0.1:82', '[::1]:82']).toContain(one);
});

test('omits a name that cannot be resolved', async () => {
  const resolve = addressResolver('nowhere.invalid:1,192.0.2.1:80');
  expect(await resolve()).toEqual(['192.0.2.1:80']);
});

test('resolves at most once a second', async () => {
  const resolve = addressResolver('localhost:1');
  expect(resolve()).toBe(resolve());
  await resolve();
});
