import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Connection, connect } from '@gatehouse/kit/rpc';
import { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { start } from '../../src/start.ts';
import {
  type Answer,
  type Descriptor,
  descriptor,
  type EnvoyClient,
  envoyClient,
  global,
  hits,
  refund,
  webhook,
} from './envoy-client.ts';

const CONFIG = readConfig({ LISTEN: '127.0.0.1:0', LOG_LEVEL: 'silent' });

let now_us: number;
let service: Running;
let envoy: EnvoyClient;
let own: Connection<typeof RatelimitServiceDefinition>;

beforeEach(async () => {
  now_us = 1_000_000;
  service = await start(CONFIG, { log: silentLogger, now_us: () => now_us });
  envoy = envoyClient(service.address);
  own = connect(RatelimitServiceDefinition, { address: service.address });
});

afterEach(async () => {
  envoy.close();
  own.close();
  await service.close();
});

const remaining = async (...descriptors: Descriptor[]) => {
  const peeks = descriptors.map((peeked) => ({ ...peeked, ...hits(0), is_negative_hits: false }));
  return (await envoy.ask(peeks)).statuses.map(({ limit_remaining }) => limit_remaining);
};

describe('ShouldRateLimit', () => {
  test('admits exactly the limit, and reports the rest', async () => {
    for (let left = 59; left >= 0; left--) {
      const { overall_code, statuses, raw_body, response_headers_to_add } = await envoy.ask([webhook('1')]);
      expect(overall_code).toBe('OK');
      expect(statuses).toEqual([
        {
          code: 'OK',
          current_limit: {
            name: 'webhook:execute',
            requests_per_unit: 60,
            unit: 'MINUTE',
            unit_multiplier: null,
          },
          limit_remaining: left,
          duration_until_reset: { seconds: String(60 - left), nanos: 0 },
        },
      ]);
      expect([raw_body.length, response_headers_to_add]).toEqual([0, []]);
    }
    expect(await envoy.ask([webhook('1')])).toMatchObject({ overall_code: 'OVER_LIMIT' });
    now_us += 999_999;
    expect(await envoy.ask([webhook('1')])).toMatchObject({ overall_code: 'OVER_LIMIT' });
    now_us += 1;
    expect(await envoy.ask([webhook('1')])).toMatchObject({ overall_code: 'OK' });
  });

  test('denies with the edge’s 429', async () => {
    await envoy.ask([webhook('1')], 60);
    now_us += 400_100;
    const before_s = Math.floor(Date.now() / 1000);
    const answer = await envoy.ask([webhook('1')], 2);
    expect(answer.overall_code).toBe('OVER_LIMIT');
    expect(answer.raw_body.toString()).toBe(
      '{"error":"429 Too Many Requests","code":"RATE_LIMITED",' +
        '"message":"You are being rate limited. Try again in 2 seconds.","global":false,"retry_after":1.6}',
    );
    const { 'x-ratelimit-reset': reset, ...headers } = headersOf(answer);
    expect(headers).toEqual({
      'content-type': 'application/json',
      'retry-after': '2',
      'x-ratelimit-scope': 'user',
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset-after': '59.600',
      'x-ratelimit-bucket': '0c6dc13db6a0e693',
    });
    expect(Number(reset)).toBeGreaterThanOrEqual(before_s + 60);
    expect(Number(reset)).toBeLessThanOrEqual(before_s + 65);
    expect(answer.statuses).toMatchObject([
      { code: 'OVER_LIMIT', limit_remaining: 0, duration_until_reset: { seconds: '59', nanos: 599_900_000 } },
    ]);
  });

  test('a global denial has the global scope, and no header of a bucket', async () => {
    await envoy.ask([global('client:1')], 50);
    const answer = await envoy.ask([webhook('1'), global('client:1')]);
    expect(JSON.parse(answer.raw_body.toString())).toEqual({
      error: '429 Too Many Requests',
      code: 'RATE_LIMITED',
      message: 'You are being rate limited. Try again in 1 second.',
      global: true,
      retry_after: 0.02,
    });
    expect(headersOf(answer)).toEqual({
      'content-type': 'application/json',
      'retry-after': '1',
      'x-ratelimit-scope': 'global',
      'x-ratelimit-global': 'true',
    });
    expect(answer.statuses.map(({ code }) => code)).toEqual(['OK', 'OVER_LIMIT']);
    expect(await remaining(webhook('1'))).toEqual([60]);
  });

  test('charges all descriptors or none; the longest wait and all other denials are reported', async () => {
    const ip = [['ip', 'ip:192.0.2.1']] as const;
    const login = descriptor('auth:login', ip);
    const hourly = descriptor('login:ip', ip);
    const name = descriptor('auth:login:email', [['login_name', 'somebody']]);
    expect(
      await envoy.ask([
        { ...login, ...hits(10) },
        { ...name, ...hits(4) },
      ]),
    ).toMatchObject({
      overall_code: 'OK',
      statuses: [{ limit_remaining: 0 }, { limit_remaining: 1 }],
    });
    await envoy.ask([{ ...hourly, ...hits(10) }]);
    const answer = await envoy.ask([login, name, hourly]);
    expect(answer.statuses.map(({ code }) => code)).toEqual(['OVER_LIMIT', 'OK', 'OVER_LIMIT']);
    expect(headersOf(answer)['retry-after']).toBe('180');
    expect(await remaining(name)).toEqual([1]);
  });

  test('the global bucket stays charged when another denies', async () => {
    await envoy.ask([webhook('1')], 60);
    for (let i = 0; i < 10; i++) await envoy.ask([webhook('1'), global('client:1')]);
    expect(await remaining(global('client:1'))).toEqual([40]);
  });

  test('finds identities by their kind in any order, or in the key’s order as "identity"', async () => {
    const account = ['account', 'account:1'] as const;
    const channel = ['channel', 'channel:2'] as const;
    const bucket = 'channel:message:create';
    await envoy.ask([descriptor(bucket, [account, channel])]);
    await envoy.ask([descriptor(bucket, [channel, account])]);
    await envoy.ask([
      descriptor(bucket, [
        ['identity', account[1]],
        ['identity', channel[1]],
      ]),
    ]);
    expect(await remaining(descriptor(bucket, [account, channel]))).toEqual([17]);
    expect(
      await remaining(
        descriptor(bucket, [
          ['account', 'channel:2'],
          ['channel', 'account:1'],
        ]),
      ),
    ).toEqual([20]);
  });

  test('charges the buckets that RatelimitService charges, under either name of a row', async () => {
    const charge = { bucket: 'email_change:orig', identities: ['account:1'], cost: 2 };
    await own.client.check({ sets: [{ charges: [charge] }] }, { timeoutMs: 5_000 });
    expect(await remaining(descriptor('auth:emailchg_start', [['account', 'account:1']]))).toEqual([1]);
  });

  test('uses the request’s hits, 0 meaning 1, for descriptors without their own', async () => {
    await envoy.ask([webhook('1'), webhook('2', hits(5))], 0);
    await envoy.ask([webhook('1'), webhook('2', hits(5))], 3);
    expect(await remaining(webhook('1'), webhook('2'))).toEqual([56, 50]);
  });

  test('0 hits of a descriptor peek: they charge nothing, and are over the limit if one token would be', async () => {
    const peek = webhook('1', hits(0));
    for (let i = 0; i < 100; i++) expect(await envoy.ask([peek])).toMatchObject({ overall_code: 'OK' });
    await envoy.ask([webhook('1')], 60);
    expect(await envoy.ask([peek, webhook('2')])).toMatchObject({ overall_code: 'OVER_LIMIT' });
    expect(await remaining(webhook('2'))).toEqual([60]);
  });

  test('negative hits refund at once, and never more than the bucket holds', async () => {
    await envoy.ask([webhook('1')], 60);
    expect(await envoy.ask([webhook('1')])).toMatchObject({ overall_code: 'OVER_LIMIT' });
    expect(await envoy.ask([webhook('1', refund(2))])).toMatchObject({
      overall_code: 'OK',
      statuses: [{ limit_remaining: 2 }],
    });
    expect(await envoy.ask([webhook('1')])).toMatchObject({ overall_code: 'OK' });
    await envoy.ask([webhook('1', refund(60))]);
    await envoy.ask([webhook('1', refund(60))]);
    expect(await remaining(webhook('1'))).toEqual([60]);
  });

  test('is_negative_hits without hits refunds the request’s', async () => {
    await envoy.ask([webhook('1')], 10);
    await envoy.ask([webhook('1', { is_negative_hits: true })], 4);
    expect(await remaining(webhook('1'))).toEqual([54]);
  });

  test('refunds one bucket and charges another in one step, or neither', async () => {
    await envoy.ask([webhook('1')], 10);
    await envoy.ask([webhook('2')], 60);
    expect(await envoy.ask([webhook('1', refund(5)), webhook('2')])).toMatchObject({
      overall_code: 'OVER_LIMIT',
    });
    expect(await remaining(webhook('1'))).toEqual([50]);
    await envoy.ask([webhook('1', refund(5)), webhook('3')]);
    expect(await remaining(webhook('1'), webhook('3'))).toEqual([55, 59]);
  });

  test('a bucket that two descriptors name is charged the sum', async () => {
    await envoy.ask([webhook('1', hits(20)), webhook('1', hits(30))]);
    expect(await remaining(webhook('1'))).toEqual([10]);
    expect(await envoy.ask([webhook('1', hits(6)), webhook('1', hits(6))])).toMatchObject({
      overall_code: 'OVER_LIMIT',
    });
    expect(await remaining(webhook('1'))).toEqual([10]);
  });

  test.each([61, 2 ** 32, '9007199254740993', '18446744073709551615'])(
    '%s hits are over the limit, and the set is not charged',
    async (many) => {
      for (let i = 0; i < 2; i++) {
        const answer = await envoy.ask([webhook('1', hits(many)), webhook('2'), global('client:1')]);
        expect(answer.overall_code).toBe('OVER_LIMIT');
        expect(answer.statuses).toMatchObject([
          { code: 'OVER_LIMIT', limit_remaining: 60, duration_until_reset: { seconds: '0', nanos: 0 } },
          { code: 'OK', limit_remaining: 60 },
          { code: 'OK' },
        ]);
        expect(headersOf(answer)).toMatchObject({ 'retry-after': '1', 'x-ratelimit-limit': '60' });
      }
      // As with every denial, the global bucket counts the request.
      expect(await remaining(webhook('1'), webhook('2'), global('client:1'))).toEqual([60, 60, 48]);
    },
  );

  test('hits of the request, a sum, and those of the global bucket may be over the limit too', async () => {
    expect(await envoy.ask([webhook('1')], 2 ** 32 - 1)).toMatchObject({ overall_code: 'OVER_LIMIT' });
    const sum = await envoy.ask([webhook('1', hits(40)), webhook('1', hits(21))]);
    expect(sum.statuses.map(({ code }) => code)).toEqual(['OVER_LIMIT', 'OVER_LIMIT']);
    const global_hits = { ...global('client:1'), ...hits('18446744073709551615') };
    expect(await envoy.ask([webhook('1'), global_hits])).toMatchObject({ overall_code: 'OVER_LIMIT' });
    expect(await remaining(webhook('1'), global('client:1'))).toEqual([60, 50]);
  });

  test.each([61, '18446744073709551615'])('%s refunded hits empty the bucket', async (many) => {
    await envoy.ask([webhook('1')], 30);
    const answer = await envoy.ask([webhook('1', refund(many)), webhook('1', refund(1))]);
    expect(answer).toMatchObject({ overall_code: 'OK', statuses: [{ limit_remaining: 60 }, {}] });
  });

  test.each(['', 'w'.repeat(513), 'é'.repeat(257)])(
    'an odd identity from a client has a bucket like any other (%#)',
    async (identity) => {
      const odd = descriptor('webhook:execute', [['webhook', identity]]);
      expect(await envoy.ask([odd], 60)).toMatchObject({ overall_code: 'OK' });
      expect(await envoy.ask([odd])).toMatchObject({ overall_code: 'OVER_LIMIT' });
      const longer = descriptor('webhook:execute', [['webhook', `${identity}1`]]);
      expect(await envoy.ask([longer])).toMatchObject({ overall_code: 'OK' });
    },
  );

  test.each([
    ['global', [['client', 'c']], 50, 'SECOND', null],
    [
      'channel:message:create',
      [
        ['account', 'a'],
        ['channel', 'c'],
      ],
      20,
      'SECOND',
      { value: 10 },
    ],
    ['auth:login:email', [['login_name', 'n']], 5, 'MINUTE', { value: 15 }],
    ['registration:ip', [['ip', 'i']], 3, 'HOUR', null],
    ['username_change', [['account', 'a']], 5, 'HOUR', { value: 3 }],
  ] as const)('reports the rule of %s', async (name, entries, requests_per_unit, unit, unit_multiplier) => {
    const { statuses } = await envoy.ask([descriptor(name, entries)]);
    expect(statuses[0]?.current_limit).toEqual({ name, requests_per_unit, unit, unit_multiplier });
  });
});

function headersOf({ response_headers_to_add }: Answer): Record<string, string> {
  return Object.fromEntries(response_headers_to_add.map(({ key, value }) => [key, value]));
}
