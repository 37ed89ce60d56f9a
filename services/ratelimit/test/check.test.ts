import { Writable } from 'node:stream';
import { faultOf } from '@gatehouse/dev-env/faults';
import { Status } from '@gatehouse/kit/fault';
import { createLogger } from '@gatehouse/kit/log';
import type { Transport } from '@gatehouse/kit/rpc';
import { BUCKET_ALIASES, BUCKETS } from '@gatehouse/proto/buckets';
import { FailurePolicy, LimitKind } from '@gatehouse/proto/ratelimit';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import {
  type ChargeTuple,
  denialOf,
  LONG_TIMEOUT,
  type Peer,
  peerOf,
  type Served,
  startRatelimit,
} from './support.ts';

describe.each<Transport>(['stream', 'unary'])('over %s', (transport) => {
  let now_us: number;
  let served: Served;
  let peer: Peer;
  let identities = 0;

  beforeEach(async () => {
    now_us = 1_000_000;
    served = await startRatelimit({}, { now_us: () => now_us }, transport);
    peer = served.peer;
  });

  afterEach(() => served.close());

  /** An identity that no other test has used. */
  const somebody = (kind: string): string => `${kind}:${++identities}`;

  test('a burst admits exactly the limit, and one more exactly when retry_after_us has passed', async () => {
    const webhook: ChargeTuple = ['webhook:execute', [somebody('webhook')]];
    for (let i = 0; i < 60; i++) expect(await denialOf(peer, [webhook])).toBeNull();
    expect(await denialOf(peer, [webhook])).toEqual({
      bucket: 'webhook:execute',
      limit: 60,
      retry_after_us: 1_000_000,
      empty_after_us: 60_000_000,
    });
    now_us += 999_999;
    expect(await denialOf(peer, [webhook])).toMatchObject({ retry_after_us: 1, empty_after_us: 59_000_001 });
    now_us += 1;
    expect(await denialOf(peer, [webhook])).toBeNull();
    expect(await denialOf(peer, [webhook])).toMatchObject({ retry_after_us: 1_000_000 });
  });

  test('many callers at once are admitted exactly the limit', async () => {
    const peers = Array.from({ length: 4 }, () => peerOf(served.service, transport));
    const webhook: ChargeTuple = ['webhook:execute', [somebody('webhook')]];
    const denials = await Promise.all(
      Array.from({ length: 400 }, (_, i) => denialOf(peers[i % peers.length] as Peer, [webhook])),
    );
    for (const other of peers) other.close();
    expect(denials.filter((denial) => denial === null)).toHaveLength(60);
  });

  test('a set is charged whole or not at all', async () => {
    const ip = somebody('ip');
    const email: ChargeTuple = ['auth:login:email', [somebody('login_name')]];
    for (let i = 0; i < 5; i++) expect(await denialOf(peer, [email])).toBeNull();
    for (let i = 0; i < 20; i++) {
      expect(await denialOf(peer, [['auth:login', [ip]], email])).toMatchObject({
        bucket: 'auth:login:email',
      });
    }
    expect(await denialOf(peer, [['auth:login', [ip], 10]])).toBeNull();
  });

  test('of several that deny, the bucket with the longest wait is reported', async () => {
    const ip = somebody('ip');
    const set: ChargeTuple[] = [
      ['auth:login', [ip]],
      ['auth:login:email', [somebody('login_name')]],
      ['login:ip', [ip]],
    ];
    const full = set.map(
      ([bucket, who]): ChargeTuple => [bucket, who, bucket === 'auth:login:email' ? 5 : 10],
    );
    expect(await denialOf(peer, full)).toBeNull();
    // A token drains in 1 s, 180 s and 180 s; two of login:ip in 360 s.
    expect(await denialOf(peer, set)).toMatchObject({ retry_after_us: 180_000_000 });
    expect(await denialOf(peer, [...set, ['login:ip', [ip]]])).toMatchObject({
      bucket: 'login:ip',
      retry_after_us: 360_000_000,
      empty_after_us: 1_800_000_000,
    });
  });

  test('a first set stays charged when a later one denies', async () => {
    const client = somebody('client');
    const webhook = somebody('webhook');
    await denialOf(peer, [['webhook:execute', [webhook], 60]]);
    for (let i = 0; i < 50; i++) {
      expect(await denialOf(peer, [['global', [client]]], [['webhook:execute', [webhook]]])).toMatchObject({
        bucket: 'webhook:execute',
      });
    }
    expect(await denialOf(peer, [['global', [client]]])).toMatchObject({ bucket: 'global', limit: 50 });
  });

  test('a global denial charges nothing else', async () => {
    const client = somebody('client');
    const webhook = somebody('webhook');
    await denialOf(peer, [['global', [client], 50]]);
    for (let i = 0; i < 20; i++) {
      expect(await denialOf(peer, [['global', [client]]], [['webhook:execute', [webhook]]])).toMatchObject({
        bucket: 'global',
      });
    }
    expect(await denialOf(peer, [['webhook:execute', [webhook], 60]])).toBeNull();
  });

  test('a denial never raises a level', async () => {
    const webhook: ChargeTuple = ['webhook:execute', [somebody('webhook')]];
    await denialOf(peer, [[webhook[0], webhook[1], 60]]);
    for (let i = 0; i < 200; i++) await denialOf(peer, [webhook]);
    now_us += 1_000_000;
    expect(await denialOf(peer, [webhook])).toBeNull();
  });

  test('the two names of a row are one bucket, and answers say the first', async () => {
    for (const [alias, name] of Object.entries(BUCKET_ALIASES)) {
      const account = somebody('account');
      const { limit } = BUCKETS[name];
      expect(await denialOf(peer, [[alias, [account], limit]])).toBeNull();
      expect(await denialOf(peer, [[name, [account]]])).toMatchObject({ bucket: name });
      expect(await denialOf(peer, [[alias, [account]]])).toMatchObject({ bucket: name });
    }
  });

  test('a bucket named twice in a set is charged twice', async () => {
    const account = somebody('account');
    const twice: ChargeTuple[] = [
      ['auth:emailchg_start', [account]],
      ['email_change:orig', [account]],
    ];
    expect(await denialOf(peer, twice)).toBeNull();
    expect(await denialOf(peer, twice)).toMatchObject({
      bucket: 'email_change:orig',
      retry_after_us: 300_000_000,
    });
    expect(await denialOf(peer, [['email_change:orig', [account]]])).toBeNull();
  });

  test('identities are never mixed up: other callers, other buckets and other splits have their own level', async () => {
    const used: ChargeTuple = ['channel:message:create', ['1:1', '1'], 20];
    expect(await denialOf(peer, [used])).toBeNull();
    expect(await denialOf(peer, [['channel:message:create', ['1:1', '1']]])).not.toBeNull();
    for (const fresh of [
      ['channel:message:create', ['1', '1:1'], 20],
      ['channel:message:create', ['1', '1'], 20],
      ['channel:message:create', ['3:1:1', '1'], 20],
      ['channel:message:create', ['1|1', ':1'], 20],
      ['channel:message:create', ['1', '1|1'], 20],
      ['channel:message:create', ['1~1', '1'], 20],
      ['channel:message:create', ['1~01', '1'], 20],
      ['channel:message:update', ['1:1', '1'], 20],
    ] satisfies ChargeTuple[]) {
      expect(await denialOf(peer, [fresh])).toBeNull();
    }
  });

  test('a cost drains like that many charges', async () => {
    const webhook = somebody('webhook');
    expect(await denialOf(peer, [['webhook:execute', [webhook], 59]])).toBeNull();
    expect(await denialOf(peer, [['webhook:execute', [webhook], 5]])).toMatchObject({
      retry_after_us: 4_000_000,
    });
    expect(await denialOf(peer, [['webhook:execute', [webhook]]])).toBeNull();
  });

  test('a request without buckets passes', async () => {
    expect(await denialOf(peer)).toBeNull();
    expect(await denialOf(peer, [])).toBeNull();
  });

  const WRONG: [what: string, reason: string, path: string, sets: ChargeTuple[][]][] = [
    [
      'an unknown bucket',
      'UNKNOWN_BUCKET',
      'sets.0.charges.1.bucket',
      [
        [
          ['report', ['a']],
          ['no:such', ['a']],
        ],
      ],
    ],
    ['too few identities', 'WRONG_IDENTITIES', 'sets.0.charges.0.identities', [[['channel:read', ['a']]]]],
    ['too many identities', 'WRONG_IDENTITIES', 'sets.0.charges.0.identities', [[['report', ['a', 'b']]]]],
    ['no identity', 'WRONG_IDENTITIES', 'sets.0.charges.0.identities', [[['report', []]]]],
    ['an empty identity', 'BAD_IDENTITY', 'sets.0.charges.0.identities.1', [[['channel:read', ['a', '']]]]],
    [
      'an identity of 513 bytes',
      'BAD_IDENTITY',
      'sets.0.charges.0.identities.0',
      [[['report', ['a'.repeat(513)]]]],
    ],
    [
      '171 characters of 3 bytes',
      'BAD_IDENTITY',
      'sets.0.charges.0.identities.0',
      [[['report', ['€'.repeat(171)]]]],
    ],
    ['a cost of 0', 'BAD_COST', 'sets.0.charges.0.cost', [[['report', ['a'], 0]]]],
    ['a cost above the limit', 'BAD_COST', 'sets.0.charges.0.cost', [[['report', ['a'], 11]]]],
    [
      'a sum above the limit',
      'BAD_COST',
      'sets.0.charges.1.cost',
      [
        [
          ['report', ['a'], 6],
          ['report', ['a'], 5],
        ],
      ],
    ],
    ['five sets', 'TOO_MANY_SETS', 'sets', [[], [], [], [], []]],
    [
      '17 charges',
      'TOO_MANY_CHARGES',
      'sets.1.charges',
      [[], Array.from({ length: 17 }, (_, i) => ['report', [`${i}`]])],
    ],
  ];

  test.each(WRONG)('%s is INVALID_ARGUMENT %s', async (_, reason, path, sets) => {
    const fault = await faultOf(denialOf(peer, ...sets));
    expect(fault).toMatchObject({ status: Status.INVALID_ARGUMENT, reason });
    expect(fault.violations).toEqual([{ path, code: reason, message: expect.any(String) }]);
  });

  test('an invalid request charges nothing, not even the sets before the mistake', async () => {
    const client = somebody('client');
    await faultOf(denialOf(peer, [['global', [client], 50]], [['no:such', ['a']]]));
    expect(await denialOf(peer, [['global', [client], 50]])).toBeNull();
  });

  test('identities of exactly 512 bytes are accepted', async () => {
    expect(await denialOf(peer, [['report', ['a'.repeat(512)]]])).toBeNull();
    expect(await denialOf(peer, [['report', [`${'€'.repeat(170)}aa`]]])).toBeNull();
  });

  test('ListBuckets returns the reference of the callers’ generated types', async () => {
    const { buckets, revision } = await peer.client.listBuckets({}, LONG_TIMEOUT);
    expect(revision).toMatch(/^[0-9a-f]{16}$/);
    const aliases = new Map<string, string[]>();
    for (const [alias, name] of Object.entries(BUCKET_ALIASES)) aliases.set(name, [alias]);
    const compiled = Object.entries(BUCKETS).map(([name, row]) => ({
      name,
      ...row,
      aliases: aliases.get(name) ?? [],
      policy: FailurePolicy[`FAILURE_POLICY_${row.policy.toUpperCase() as Uppercase<typeof row.policy>}`],
      kind: LimitKind.LIMIT_KIND_LEAKY_BUCKET,
    }));
    expect(buckets).toEqual(compiled);
  });
});

test('with limits off every check passes, and an invalid one is still refused', async () => {
  const { peer, close } = await startRatelimit({ rate_limits: false });
  for (let i = 0; i < 30; i++) expect(await denialOf(peer, [['report', ['account:1'], 10]])).toBeNull();
  expect(await faultOf(denialOf(peer, [['no:such', ['a']]]))).toMatchObject({ reason: 'UNKNOWN_BUCKET' });
  await close();
});

test('buckets drain in real time: a charge is admitted after the reported wait', async () => {
  const { peer, close } = await startRatelimit();
  const twenty: ChargeTuple = ['webhook:read', ['webhook:1'], 20]; // 100 per 10 s
  await denialOf(peer, [['webhook:read', ['webhook:1'], 100]]);
  const denial = await denialOf(peer, [twenty]);
  const wait_us = denial?.retry_after_us ?? Number.NaN;
  expect(wait_us).toBeGreaterThan(0);
  expect(wait_us).toBeLessThanOrEqual(2_000_000);
  await new Promise((resolve) => setTimeout(resolve, Math.ceil(wait_us / 1000) + 1));
  expect(await denialOf(peer, [twenty])).toBeNull();
  await close();
});

test('no identity reaches a log, for any invalid request', async () => {
  let logged = '';
  const destination = new Writable({
    write: (chunk, _, done) => {
      logged += String(chunk);
      done();
    },
  });
  const { peer, close } = await startRatelimit(
    {},
    { log: createLogger({ name: 'ratelimit', level: 'trace', destination }) },
  );
  const planted = 'planted-identity';
  await denialOf(peer, [['report', [planted], 10]]);
  await denialOf(peer, [['report', [planted]]]);
  await faultOf(denialOf(peer, [['report', [planted], 0]]));
  await faultOf(denialOf(peer, [['report', [planted, planted]]]));
  await faultOf(denialOf(peer, [[planted, [planted]]]));
  await faultOf(denialOf(peer, [['report', [planted.repeat(100)]]]));
  await close();
  expect(logged).toContain('/gatehouse.ratelimit.v1.RatelimitService/Check');
  expect(logged).not.toContain(planted);
});
