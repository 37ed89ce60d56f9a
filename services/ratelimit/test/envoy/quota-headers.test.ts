import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { describe, expect, test } from 'vitest';
import { quotaHeaders, quotaOf } from '../../src/envoy/quota-headers.ts';
import { codesOf, headersOf, limit, serveDescriptors } from '../descriptors/domain.ts';

const BOTH = ['x-ratelimit', 'ietf'] as const;

describe('in a configured domain', () => {
  test('admitted and denied answers have the headers of the limit closest to denial', async () => {
    const d = await serveDescriptors(
      `  - {key: user, ${limit(10, 'minute', ', name: per-user')}}\n  - {key: path, ${limit(2, 'second')}}\n  - {key: all, shadow_mode: true, ${limit(1)}}`,
      { headers: BOTH },
    );
    expect(headersOf(await d.ask(['user=a', 'all=1'], 4))).toEqual({
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '6',
      'x-ratelimit-reset': '24',
      'ratelimit-policy': '"per-user";q=10;w=60',
      ratelimit: '"per-user";r=6;t=6',
    });
    expect(headersOf(await d.ask(['user=a', 'path=/']))).toMatchObject({
      'ratelimit-policy': '"d.path";q=2;w=1',
      ratelimit: '"d.path";r=1;t=1',
    });
    const denied = await d.ask(['user=a', 'path=x'], 6);
    expect(codesOf(denied)).toEqual(['OVER_LIMIT', 'OVER_LIMIT']);
    expect(headersOf(await d.ask(['user=b', 'user=a'], 6))).toEqual({
      'retry-after': '6',
      'x-ratelimit-limit': '10',
      'x-ratelimit-remaining': '5',
      'x-ratelimit-reset': '30',
      'ratelimit-policy': '"per-user";q=10;w=60',
      ratelimit: '"per-user";r=5;t=6',
    });
  });

  test('an unlimited descriptor, and one in shadow mode alone, have none', async () => {
    const d = await serveDescriptors(
      `  - {key: free, rate_limit: {unlimited: true}}\n  - {key: all, shadow_mode: true, ${limit(1)}}`,
      { headers: BOTH },
    );
    expect(headersOf(await d.ask(['free=1', 'all=1', 'other=1']))).toEqual({});
  });

  test('a fixed window has more when it ends', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(3, 'minute', ', algorithm: fixed_window')}}`, {
      headers: ['ietf'],
    });
    d.now_us = 60_000_000 * 1_000 + 20_500_000;
    expect(headersOf(await d.ask(['user=a']))).toEqual({
      'ratelimit-policy': '"d.user";q=3;w=60',
      ratelimit: '"d.user";r=2;t=40',
    });
  });

  test('a limit of 0 has 0 left', async () => {
    const d = await serveDescriptors(`  - {key: user, ${limit(0)}}`, { headers: BOTH });
    expect(headersOf(await d.ask(['user=a']))).toMatchObject({
      'x-ratelimit-limit': '0',
      'x-ratelimit-remaining': '0',
    });
  });
});

describe('in a domain without a file', () => {
  const webhook = {
    entries: [
      { key: 'bucket', value: 'webhook:execute' },
      { key: 'webhook', value: 'w' },
    ],
  };

  test('admitted answers have the headers of the 429, which stays as it is', async () => {
    const d = await serveDescriptors('', { headers: BOTH });
    const admitted = headersOf(await d.askIn('gatehouse', [{ ...webhook, hits_addend: { value: 60 } }]));
    const denied = headersOf(await d.askIn('gatehouse', [webhook]));
    expect(admitted).toEqual({
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': expect.stringMatching(/^[0-9]{10}$/),
      'x-ratelimit-reset-after': '60.000',
      'ratelimit-policy': '"webhook:execute";q=60;w=60',
      ratelimit: '"webhook:execute";r=0;t=1',
    });
    expect(denied).toMatchObject({
      'retry-after': '1',
      'x-ratelimit-limit': '60',
      'x-ratelimit-reset-after': '60.000',
      ratelimit: '"webhook:execute";r=0;t=1',
    });
  });

  test('without the setting only the 429 has headers', async () => {
    const d = await serveDescriptors('');
    expect(headersOf(await d.askIn('gatehouse', [{ ...webhook, hits_addend: { value: 60 } }]))).toEqual({});
    expect(headersOf(await d.askIn('gatehouse', [webhook]))).not.toHaveProperty('ratelimit');
  });
});

test('names are strings of structured fields: printable ASCII, with quotes escaped', () => {
  const rule = { name: 'a"b\\c é', index: 0, ...rate(1, 60) };
  const quota = quotaOf({ rule, key: 'k', level: 0, retry_after_us: 0, empty_after_us: 0 });
  expect(quotaHeaders(quota, ['ietf'])).toEqual({
    'ratelimit-policy': '"a\\"b\\\\c %C3%A9";q=1;w=60',
    ratelimit: '"a\\"b\\\\c %C3%A9";r=1',
  });
});
