import { readFileSync } from 'node:fs';
import { BUCKET_ALIASES, BUCKETS } from '@gatehouse/proto/buckets';
import { expect, test } from 'vitest';
import { parseReference, type Rule } from '../src/reference/reference.ts';

const BUILT_IN = readFileSync(new URL(import.meta.resolve('@gatehouse/proto/buckets.json')), 'utf8');
const reference = parseReference(BUILT_IN);

test('the global bucket is 50 per second per client', () => {
  expect(reference.byName.get('global')).toMatchObject({ limit: 50, window_seconds: 1, key: ['client'] });
});

test('the types generated for callers match this reference', () => {
  const rows = reference.listed.map(({ name, limit, window_seconds, key, policy }) => [
    name,
    { limit, window_seconds, key, policy },
  ]);
  expect(Object.entries(BUCKETS)).toEqual(rows);
  const aliases = reference.rules.flatMap(({ name, aliases }) => aliases.map((alias) => [alias, name]));
  expect(Object.entries(BUCKET_ALIASES)).toEqual(aliases);
});

test('an alias finds the same rule as the name', () => {
  expect(reference.byName.get('auth:emailchg_start')).toBe(reference.byName.get('email_change:orig'));
});

test('every capacity of the reference leaves the arithmetic far inside the exact integers', () => {
  const largest = Math.max(...reference.rules.map(({ capacity }) => capacity));
  expect(largest).toBeLessThan(2 ** 53 / 1000);
});

test('an invalid reference reports every wrong row at once', () => {
  const rows = {
    good: { limit: 1, window_seconds: 1, key: ['ip'] },
    zero: { limit: 0, window_seconds: 1, key: ['ip'] },
    fraction: { limit: 1, window_seconds: 0.5, key: ['ip'] },
    keyless: { limit: 1, window_seconds: 1, key: [] },
    stranger: { limit: 1, window_seconds: 1, key: ['planet'] },
    extra: { limit: 1, window_seconds: 1, key: ['ip'], burst: 2 },
    huge: { limit: 4_000_000_000, window_seconds: 4_000_000_000, key: ['ip'] },
    flat: 7,
    lost: { alias_of: 'nowhere' },
    chained: { alias_of: 'lost' },
    mixed: { alias_of: 'good', limit: 1 },
    lax: { limit: 1, window_seconds: 1, key: ['ip'], policy: 'sometimes' },
    strange: { kind: 'token_bucket', limit: 1, window_seconds: 1, key: ['ip'] },
    many: { kind: 'concurrency', limit: 1001, window_seconds: 1, key: ['ip'] },
    long: { kind: 'fixed_window', limit: 1, window_seconds: 100_000_000, key: ['ip'] },
    countless: { limit: 10_000_000, window_seconds: 31_536_000, key: ['ip'] },
    secret: { limit: 1, window_seconds: 1, key: ['ip'], internal: 'yes' },
  };
  const wrong = Object.keys(rows).filter((name) => name !== 'good');
  const report = failure(() => parseReference(JSON.stringify(rows)));
  for (const name of wrong) expect(report).toContain(`\n  - ${name}: `);
  expect(report).not.toContain('- good');
  expect(failure(() => parseReference('[]'))).toContain('not an object');
  expect(failure(() => parseReference('{ "good": '))).toContain('not JSON');
});

test('a name or an alias that could be taken for another part of a key is refused', () => {
  const row = { limit: 1, window_seconds: 1, key: ['ip'] };
  for (const name of ['', 'a|b', 'a{b', 'a}b', 'a b', 'a\tb', 'a\u00a0b', 'a\0b']) {
    const problem = `\n  - ${JSON.stringify(name)}: a name is not empty`;
    expect(failure(() => parseReference(JSON.stringify({ [name]: row })))).toContain(problem);
    const aliased = { good: row, [name]: { alias_of: 'good' } };
    expect(failure(() => parseReference(JSON.stringify(aliased)))).toContain(problem);
  }
});

test('an alias of a property of Object.prototype is refused', () => {
  const report = failure(() => parseReference('{ "lost": { "alias_of": "__proto__" } }'));
  expect(report).toContain('- lost: ');
});

test('buckets that protect accounts are never open, under any name', () => {
  const rows = JSON.parse(BUILT_IN) as Record<string, object>;
  for (const name of ['guild:list', 'email_change:new', ...GUARDED])
    rows[name] = { ...rows[name], policy: 'open' };
  const report = failure(() => parseReference(JSON.stringify(rows)));
  for (const name of ['email_change:new', ...GUARDED]) expect(report).toContain(`- ${name}: `);
  expect(report).not.toContain('guild:list');
});

/** One of each kind: login, MFA, sudo, registration, password, verification, and what begins with auth. */
const GUARDED = [
  'login:ip',
  'user:mfa:totp:disable',
  'sudo:mfa:methods',
  'registration:subnet',
  'password_reset:email',
  'phone:verify_code',
  'auth:handoff:status',
  'auth:pwdchg_start',
];

test('internal rows exist, and cannot be named', () => {
  const { slowmode, ...profile } = reference.internal;
  expect(slowmode).toMatchObject({ limit: 1, key: ['account', 'channel'] });
  expect(Object.values<Rule>(profile)).toHaveLength(5);
  for (const rule of Object.values<Rule>(profile)) {
    expect(rule).toMatchObject({ limit: 25, window_seconds: 1800, key: ['profile'] });
  }
  for (const { name } of Object.values<Rule>(reference.internal)) {
    expect(reference.byName.has(name)).toBe(false);
    expect(BUCKETS).not.toHaveProperty([name]);
  }
  const rows = JSON.parse(BUILT_IN) as Record<string, object>;
  const named = { ...rows, slowmode: { limit: 1, window_seconds: 1, key: ['account'] } };
  expect(failure(() => parseReference(JSON.stringify(named)))).toContain('- slowmode: ');
  const aliased = { ...rows, mine: { alias_of: 'slowmode' } };
  expect(failure(() => parseReference(JSON.stringify(aliased)))).toContain('- mine: an internal row');
  const stranger = { ...rows, mine: { limit: 1, window_seconds: 1, key: ['ip'], internal: true } };
  expect(failure(() => parseReference(JSON.stringify(stranger)))).toContain('- mine: ');
});

test('rows that the edge charges are no concurrency limits, since it has no leases', () => {
  const rows = JSON.parse(BUILT_IN) as Record<string, object>;
  for (const name of ['global', 'slowmode', 'report']) rows[name] = { ...rows[name], kind: 'concurrency' };
  const report = failure(() => parseReference(JSON.stringify(rows)));
  for (const name of ['global', 'slowmode', 'report'])
    expect(report).toContain(`- ${name}: the edge charges it`);
});

test('a file without `global` and internal rows has those of this version', () => {
  const mine = { limit: 1, window_seconds: 1, key: ['ip'] };
  const own = parseReference(JSON.stringify({ mine, all: { alias_of: 'global' } }));
  expect(own.listed.map(({ name }) => name)).toEqual(['global', 'mine']);
  const { limit, window_seconds, key } = BUCKETS.global;
  expect(own.byName.get('all')).toMatchObject({ name: 'global', limit, window_seconds, key });
  expect(Object.keys(own.internal)).toEqual(Object.keys(reference.internal));
  expect(own.internal.slowmode).toMatchObject({
    limit: 1,
    window_seconds: 21_600,
    key: ['account', 'channel'],
  });
  const changed = parseReference(JSON.stringify({ mine, global: { ...mine, limit: 7 } }));
  expect(changed.byName.get('global')).toMatchObject({ limit: 7, key: ['ip'] });
});

test('`global` is neither an alias nor internal: every request of the edge is charged to it', () => {
  const mine = { limit: 1, window_seconds: 1, key: ['ip'] };
  for (const global of [{ alias_of: 'mine' }, { ...mine, internal: true }]) {
    expect(failure(() => parseReference(JSON.stringify({ mine, global })))).toContain('- global: ');
  }
});

test('the revision changes exactly with the rows', () => {
  const rows = JSON.parse(BUILT_IN) as Record<string, object>;
  expect(parseReference(JSON.stringify(rows, null, 4)).revision).toBe(reference.revision);
  rows.report = { ...rows.report, policy: 'closed' };
  expect(parseReference(JSON.stringify(rows)).revision).not.toBe(reference.revision);
});

function failure(run: () => unknown): string {
  try {
    run();
  } catch (error) {
    return (error as Error).message;
  }
  return 'nothing failed';
}

test('a repeated row is refused', () => {
  const text = BUILT_IN.replace(
    /}\s*$/,
    ',\n  "report": { "limit": 1, "window_seconds": 1, "key": ["account"] }\n}',
  );
  expect(failure(() => parseReference(text))).toContain('report: this row is repeated');
  const escaped = text.replace('"report": { "limit": 1,', '"\\u0072eport": { "limit": 1,');
  expect(failure(() => parseReference(escaped))).toContain('report: this row is repeated');
});
