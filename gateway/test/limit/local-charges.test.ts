import { FailurePolicy } from '@gatehouse/proto/ratelimit';
import { describe, expect, it } from 'vitest';
import { rulesReader } from '../../src/limit/edge-rules.ts';
import { localCharges } from '../../src/limit/local-charges.ts';

const policy = FailurePolicy.FAILURE_POLICY_LOCAL;
const bucket = (name: string, key: string[]) => ({
  name,
  limit: 5,
  window_seconds: 10,
  key,
  aliases: [],
  policy,
});
const read = rulesReader(2);
const rules = read({
  revision: 'a',
  buckets: [bucket('by:ip', ['ip']), bucket('by:name', ['ip', 'login_name']), bucket('by:email', ['email'])],
});

describe('a key in the edge’s own memory', () => {
  const local = localCharges();
  const keyOf = (name: string, ...identities: string[]) =>
    local({ charges: [{ bucket: name, identities }] }, rules)[0]?.key;

  it('is the identities, and an HMAC in place of a login name or an e-mail address', () => {
    expect(keyOf('by:ip', 'ip:192.0.2.1')).toBe('ip:192.0.2.1');
    expect(keyOf('by:name', 'ip:192.0.2.1', 'ann')).toMatch(/^ip:192\.0\.2\.1 [\w-]{43}$/);
    expect(keyOf('by:email', 'ann@example.com')).toMatch(/^[\w-]{43}$/);
  });

  it('is the same for the same caller and another for any other', () => {
    expect(keyOf('by:email', 'ann@example.com')).toBe(keyOf('by:email', 'ann@example.com'));
    expect(keyOf('by:email', 'ann@example.com')).not.toBe(keyOf('by:email', 'bob@example.com'));
    expect(keyOf('by:name', 'ip:192.0.2.1', 'x')).not.toBe(keyOf('by:name', 'ip:192.0.2.2', 'x'));
  });

  it('says nothing to who knows the key of another process', () => {
    const charge = { charges: [{ bucket: 'by:email', identities: ['ann@example.com'] }] };
    expect(localCharges()(charge, rules)[0]?.key).not.toBe(local(charge, rules)[0]?.key);
  });
});

it('a rule that is read anew keeps its index, whatever comes and goes before it', () => {
  const again = read({ revision: 'b', buckets: [bucket('new', ['ip']), bucket('by:email', ['email'])] });
  expect(again.byName.get('by:email')?.index).toBe(rules.byName.get('by:email')?.index);
  const indexes = [...rules.byName.values(), ...again.byName.values()].map(({ index }) => index);
  expect(new Set(indexes).size).toBe(4);
});

it('an edge’s share of a limit is rounded down, and at least one', () => {
  const share = (replicas: number) =>
    rulesReader(replicas)({ revision: 'a', buckets: [bucket('by:ip', ['ip'])] }).shares[0];
  expect([1, 2, 3, 5, 6].map((replicas) => share(replicas)?.limit)).toEqual([5, 2, 1, 1, 1]);
  expect(share(2)).toMatchObject({ window_us: 10_000_000, capacity: 20_000_000 });
});
