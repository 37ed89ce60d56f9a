import { FailurePolicy } from '@gatehouse/proto/ratelimit';
import { describe, expect, it } from 'vitest';
import { localCharges } from '../../src/keys/local-charges.ts';
import { RulesReader } from '../../src/rules.ts';

const policy = FailurePolicy.FAILURE_POLICY_LOCAL;
const bucket = (name: string, key: string[]) => ({
  name,
  limit: 5,
  window_seconds: 10,
  key,
  aliases: [],
  policy,
});
const reader = new RulesReader();
const read = (response: Parameters<typeof reader.served>[0]) => reader.served(response);
const rules = read({
  revision: 'a',
  buckets: [bucket('by:ip', ['ip']), bucket('by:name', ['ip', 'login_name']), bucket('by:email', ['email'])],
});

describe('a key in this process’s own memory', () => {
  const local = localCharges();
  const keyOf = (name: string, ...identities: string[]) =>
    local([{ bucket: name, identities }], rules)[0]?.key;

  it('is the identities, and an HMAC in place of a login name or an e-mail address', () => {
    expect(keyOf('by:ip', 'ip:192.0.2.1')).toBe('ip:192.0.2.1');
    expect(keyOf('by:name', 'ip:192.0.2.1', 'ann')).toMatch(/^ip:192\.0\.2\.1\|[\w-]{22}$/);
    expect(keyOf('by:email', 'ann@example.com')).toMatch(/^[\w-]{22}$/);
  });

  it('is the same for the same caller and another for any other', () => {
    expect(keyOf('by:email', 'ann@example.com')).toBe(keyOf('by:email', 'ann@example.com'));
    expect(keyOf('by:email', 'ann@example.com')).not.toBe(keyOf('by:email', 'bob@example.com'));
    expect(keyOf('by:name', 'ip:192.0.2.1', 'x')).not.toBe(keyOf('by:name', 'ip:192.0.2.2', 'x'));
  });

  it('cannot be computed with the key of another process', () => {
    const charge = [{ bucket: 'by:email', identities: ['ann@example.com'] }];
    expect(localCharges()(charge, rules)[0]?.key).not.toBe(local(charge, rules)[0]?.key);
  });
});

it('a rule keeps its index when it is read again, whatever rules come and go', () => {
  const again = read({ revision: 'b', buckets: [bucket('new', ['ip']), bucket('by:email', ['email'])] });
  expect(again.byName.get('by:email')?.index).toBe(rules.byName.get('by:email')?.index);
  const indexes = [...rules.byName.values(), ...again.byName.values()].map(({ index }) => index);
  expect(new Set(indexes).size).toBe(4);
});

it('a bucket that a set names twice is charged the sum', () => {
  const once = { bucket: 'by:ip', identities: ['ip:192.0.2.1'] };
  const read = localCharges()([once, { ...once, cost: 2 }, { ...once, identities: ['ip:192.0.2.2'] }], rules);
  expect(read.map(({ key, cost }) => [key, cost])).toEqual([
    ['ip:192.0.2.1', 3],
    ['ip:192.0.2.2', 1],
  ]);
});

it('a bucket is known by each of its names', () => {
  const two = read({ revision: 'c', buckets: [{ ...bucket('by:ip', ['ip']), aliases: ['also'] }] });
  const charge = (name: string) => localCharges()([{ bucket: name, identities: ['ip:192.0.2.1'] }], two)[0];
  expect(charge('also')?.rule).toBe(charge('by:ip')?.rule);
  expect(charge('by:email')).toBeUndefined();
});
