import { describe, expect, test } from 'vitest';
import { LONG_TIMEOUT } from '../support.ts';
import { codesOf, descriptorWith, headersOf, limit, remainingOf, serveDescriptors } from './domain.ts';

const OVER = { overall_code: 'OVER_LIMIT' };
const OK = { overall_code: 'OK' };

describe('an enforced limit', () => {
  test('counts each value by itself, as a leaky bucket', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(3)}}`);
    for (const remaining of [2, 1, 0]) {
      expect(await d.ask(['user=a'])).toMatchObject({
        ...OK,
        statuses: [
          {
            code: 'OK',
            limit_remaining: remaining,
            current_limit: { name: '', requests_per_unit: 3, unit: 'MINUTE', unit_multiplier: null },
            duration_until_reset: { seconds: String((3 - remaining) * 20), nanos: 0 },
          },
        ],
      });
    }
    const denied = await d.ask(['user=a']);
    expect(denied).toMatchObject({ ...OVER, statuses: [{ code: 'OVER_LIMIT', limit_remaining: 0 }] });
    expect(headersOf(denied)).toEqual({ 'retry-after': '20' });
    expect(denied.raw_body).toHaveLength(0);
    expect(await d.ask(['user=b'])).toMatchObject(OK);
    d.now_us += 20_000_000;
    expect(await d.ask(['user=a'])).toMatchObject(OK);
    expect(await d.ask(['user=a'])).toMatchObject(OVER);
  });

  test('with algorithm fixed_window counts anew in each window of the clock', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(2, 'minute', ', algorithm: fixed_window')}}`);
    d.now_us = 1_000 * 60_000_000 + 45_000_000;
    await d.ask(['user=a']);
    expect(await d.ask(['user=a'])).toMatchObject({
      ...OK,
      statuses: [{ duration_until_reset: { seconds: '15' } }],
    });
    expect(headersOf(await d.ask(['user=a']))).toEqual({ 'retry-after': '15' });
    d.now_us += 14_999_999;
    expect(await d.ask(['user=a'])).toMatchObject(OVER);
    d.now_us += 1;
    expect(remainingOf(await d.ask(['user=a']))).toEqual([1]);
  });

  test('takes the algorithm of the settings unless it has its own', async () => {
    const d = await serveDescriptors(
      `  - {key: user, ${limit(2)}}\n  - {key: own, ${limit(2, 'minute', ', algorithm: leaky_bucket')}}`,
      { descriptors_algorithm: 'fixed_window' },
    );
    d.now_us = 60_000_000 * 1_000;
    await d.ask(['user=a', 'own=a'], 2);
    d.now_us += 30_000_000;
    expect(codesOf(await d.ask(['user=a', 'own=b']))).toEqual(['OVER_LIMIT', 'OK']);
    expect(await d.ask(['own=a'])).toMatchObject(OK);
  });

  test('all limits of a request are charged, or none', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(10)}}\n  - {key: path, ${limit(2)}}`);
    await d.ask(['user=a', 'path=/'], 2);
    const denied = await d.ask(['user=a', 'path=/']);
    expect(codesOf(denied)).toEqual(['OK', 'OVER_LIMIT']);
    expect(remainingOf(denied)).toEqual([8, 0]);
    expect(remainingOf(await d.ask([descriptorWith('user=a', { hits_addend: { value: 0 } })]))).toEqual([8]);
  });

  test('0 requests deny everything, and no request reaches the others', async () => {
    const d = await serveDescriptors(
      `  - {key: ip, ${limit(10)}}\n  - {key: ip, value: 50.0.0.5, ${limit(0)}}`,
    );
    expect(await d.ask(['ip=50.0.0.1'])).toMatchObject(OK);
    for (let i = 0; i < 2; i++) {
      expect(await d.ask(['ip=50.0.0.5', 'ip=50.0.0.1'])).toMatchObject({
        ...OVER,
        statuses: [
          { code: 'OVER_LIMIT', limit_remaining: 0, current_limit: { requests_per_unit: 0 } },
          { code: 'OK', limit_remaining: 9 },
        ],
      });
    }
    expect(await d.ask([descriptorWith('ip=50.0.0.5', { hits_addend: { value: 0 } })])).toMatchObject(OVER);
  });

  test('hits are those of the descriptor, else of the request; 0 of a descriptor peeks; negative ones refund', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(10)}}`);
    await d.ask(['user=a', descriptorWith('user=b', { hits_addend: { value: 4 } })], 3);
    expect(remainingOf(await d.ask([descriptorWith('user=a', { hits_addend: { value: 0 } })]))).toEqual([7]);
    expect(remainingOf(await d.ask([descriptorWith('user=b', { hits_addend: { value: 0 } })]))).toEqual([6]);
    const refund = descriptorWith('user=b', { hits_addend: { value: 3 }, is_negative_hits: true });
    expect(remainingOf(await d.ask([refund]))).toEqual([9]);
    expect(
      await d.ask([descriptorWith('user=b', { hits_addend: { value: '18446744073709551615' } })]),
    ).toMatchObject(OVER);
    expect(remainingOf(await d.ask([refund, 'user=b']))).toEqual([10, 10]);
  });

  test.each(['', 'w'.repeat(513), 'é'.repeat(400), 'a|b', '~'])(
    'any value has a bucket (%#)',
    async (value) => {
      const d = await serveDescriptors(`  - {key: user, ${limit(1)}}`);
      const odd = { entries: [{ key: 'user', value }] };
      expect([await d.ask([odd]), await d.ask([odd])]).toMatchObject([OK, OVER]);
      expect(await d.ask([{ entries: [{ key: 'user', value: `${value}1` }] }])).toMatchObject(OK);
    },
  );

  test('a shared threshold has one bucket for all values', async () => {
    const d = await serveDescriptors(
      `  - {key: files, value: "files/*", share_threshold: true, ${limit(2)}}\n  - {key: own, value: "files/*", ${limit(2)}}`,
    );
    await d.ask(['files=files/a', 'own=files/a']);
    await d.ask(['files=files/b', 'own=files/a']);
    expect(codesOf(await d.ask(['files=files/c', 'own=files/b']))).toEqual(['OVER_LIMIT', 'OK']);
  });
});

test('a descriptor without a limit, and an unlimited one, pass without a charge', async () => {
  const d = await serveDescriptors('  - {key: free, rate_limit: {unlimited: true}}\n  - {key: bare}');
  const { overall_code, statuses } = await d.ask(['free=1', 'bare=1', 'other=1']);
  expect(overall_code).toBe('OK');
  expect(statuses).toMatchObject([
    { code: 'OK', current_limit: null, limit_remaining: 4294967295 },
    { code: 'OK', current_limit: null, limit_remaining: 0 },
    { code: 'OK', current_limit: null, limit_remaining: 0 },
  ]);
  expect(await d.peer.client.getStatistics({}, LONG_TIMEOUT)).toMatchObject({ checks: 0 });
});

test('a limit that another one replaces is not charged', async () => {
  const d = await serveDescriptors(
    `  - {key: user, ${limit(1, 'minute', ', name: slow')}}\n  - {key: plan, value: gold, ${limit(5, 'minute', ', replaces: [{name: slow}]')}}`,
  );
  for (let i = 0; i < 5; i++) expect(await d.ask(['user=a', 'plan=gold'])).toMatchObject(OK);
  expect(codesOf(await d.ask(['user=a', 'plan=gold']))).toEqual(['OK', 'OVER_LIMIT']);
  expect([await d.ask(['user=a']), await d.ask(['user=a'])]).toMatchObject([OK, OVER]);
});

describe('shadow mode', () => {
  test('is counted and never denies; the enforced limits are charged before', async () => {
    const d = await serveDescriptors(
      `  - {key: a, shadow_mode: true, ${limit(1)}}\n  - {key: b, shadow_mode: true, ${limit(2)}}\n  - {key: c, ${limit(4)}}`,
    );
    const answers = [];
    for (let i = 0; i < 5; i++) answers.push(await d.ask(['a=1', 'b=1', 'c=1']));
    expect(answers.map(remainingOf)).toEqual([
      [0, 1, 3],
      [0, 0, 2],
      [0, 0, 1],
      [0, 0, 0],
      [0, 0, 0],
    ]);
    expect(answers.map(codesOf)).toEqual([...Array(4).fill(['OK', 'OK', 'OK']), ['OK', 'OK', 'OVER_LIMIT']]);
    const { buckets } = await d.peer.client.getStatistics({}, LONG_TIMEOUT);
    expect(buckets).toEqual([
      { bucket: 'd.a', admitted: 1, denied: 3, shadowed: 3 },
      { bucket: 'd.b', admitted: 2, denied: 2, shadowed: 2 },
      { bucket: 'd.c', admitted: 4, denied: 1, shadowed: 0 },
    ]);
  });
});

describe('quotas', () => {
  const QUOTAS = `
  - {key: service, value: one, quota_mode: true, ${limit(1)}, metadata: {plan: {name: one}, first: true}}
  - {key: service, value: two, quota_mode: true, ${limit(2)}, metadata: {plan: {name: two}}}
  - {key: user, ${limit(3)}}
`;

  test('deny together only; answers have the metadata of those that admit', async () => {
    const d = await serveDescriptors(QUOTAS);
    const answers = [];
    for (let i = 0; i < 3; i++) answers.push(await d.ask(['service=one', 'service=two']));
    expect(answers.map(({ overall_code }) => overall_code)).toEqual(['OK', 'OK', 'OVER_LIMIT']);
    expect(answers.map(codesOf)).toEqual([
      ['OK', 'OK'],
      ['OVER_LIMIT', 'OK'],
      ['OVER_LIMIT', 'OVER_LIMIT'],
    ]);
    const plans = answers.map(({ dynamic_metadata }) => JSON.stringify(dynamic_metadata));
    expect(plans[0]).toContain('"one"');
    expect(plans[0]).not.toContain('"two"');
    expect(plans[1]).toContain('"two"');
    expect(plans[2]).toBe('null');
    // The second bucket has a token sooner.
    expect(headersOf(answers[2] ?? (await d.ask([])))).toEqual({ 'retry-after': '30' });
  });

  test('one alone denies as any limit, and then nothing is charged', async () => {
    const d = await serveDescriptors(QUOTAS);
    await d.ask(['service=one', 'user=a']);
    expect(codesOf(await d.ask(['service=one', 'user=a']))).toEqual(['OVER_LIMIT', 'OK']);
    expect(remainingOf(await d.ask(['user=a']))).toEqual([1]);
  });

  test('are not charged if an enforced limit denies', async () => {
    const d = await serveDescriptors(QUOTAS);
    await d.ask(['user=a'], 3);
    expect(await d.ask(['user=a', 'service=one', 'service=two'])).toMatchObject(OVER);
    expect(remainingOf(await d.ask(['service=one', 'service=two']))).toEqual([0, 1]);
  });
});

describe('a limit that the request brings', () => {
  const own = (requests_per_unit: number, unit: string, value?: number) => ({
    limit: { requests_per_unit, unit, ...(value !== undefined && { unit_multiplier: { value } }) },
  });

  test('applies instead of the configured one, to a bucket of its own', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(1)}}`);
    for (let i = 0; i < 3; i++)
      expect(await d.ask([descriptorWith('user=a', own(3, 'HOUR', 2))])).toMatchObject(OK);
    expect(await d.ask([descriptorWith('user=a', own(3, 'HOUR', 2))])).toMatchObject({
      ...OVER,
      statuses: [{ current_limit: { requests_per_unit: 3, unit: 'HOUR', unit_multiplier: { value: 2 } } }],
    });
    expect(await d.ask(['user=a'])).toMatchObject(OK);
    expect(await d.ask([descriptorWith('other=a', own(1, 'YEAR'))])).toMatchObject(OK);
    expect(await d.ask([descriptorWith('other=a', own(0, 'DAY'))])).toMatchObject(OVER);
  });

  test('makes no rule of its own: a thousand limits are one name', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(1)}}`);
    for (let i = 1; i <= 1_000; i++) await d.ask([descriptorWith(`user=${i}`, own(i, 'SECOND'))]);
    const { buckets } = await d.peer.client.getStatistics({}, LONG_TIMEOUT);
    expect(buckets).toEqual([{ bucket: 'd.*', admitted: 1_000, denied: 0, shadowed: 0 }]);
  });

  test.each([
    own(1, 'UNKNOWN'),
    own(1, 'YEAR', 2),
    own(1, 'SECOND', 1_001),
    own(1, 'SECOND', 0),
    own(4_000_000_000, 'YEAR'),
  ])('must be exact and at most a year (%#)', async (more) => {
    const d = await serveDescriptors(`  - {key: user, ${limit(1)}}`);
    await expect(d.ask(['user=a', descriptorWith('user=b', more)])).rejects.toThrow(
      /descriptors\.1: A limit has a unit/,
    );
    expect(await d.ask(['user=a'])).toMatchObject(OK);
  });
});

describe('names in statistics', () => {
  test('have values where the limit asks for them, and at most 1,000 of them', async () => {
    const d = await serveDescriptors(`  - {key: user, detailed_metric: true, ${limit(5)}}`);
    for (let i = 0; i < 1_003; i++) await d.ask([`user=${i}`]);
    const { buckets } = await d.peer.client.getStatistics({}, LONG_TIMEOUT);
    expect(buckets).toHaveLength(1_001);
    expect(buckets.slice(0, 2)).toMatchObject([
      { bucket: 'd.user', admitted: 3 },
      { bucket: 'd.user_0', admitted: 1 },
    ]);
  });
});

describe('another domain', () => {
  test('charges the bucket reference', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(1)}}`);
    const named = {
      entries: [
        { key: 'bucket', value: 'webhook:execute' },
        { key: 'webhook', value: 'w' },
      ],
    };
    expect(await d.ask([named])).toMatchObject({ statuses: [{ current_limit: null }] });
    const { statuses } = await d.askIn('gatehouse', [named]);
    expect(statuses).toMatchObject([{ current_limit: { name: 'webhook:execute' } }]);
  });
});

test.each([
  [[], 'at least one descriptor'],
  [Array(17).fill('user=a'), 'at most 16 descriptors'],
])('a wrong number of descriptors is INVALID_ARGUMENT', async (descriptors, text) => {
  const d = await serveDescriptors(`  - {key: user, ${limit(1)}}`);
  await expect(d.ask(descriptors)).rejects.toThrow(text);
});
