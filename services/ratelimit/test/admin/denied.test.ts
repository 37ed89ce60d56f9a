import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { DeniedBuckets } from '../../src/denied/denied-buckets.ts';
import { type ChargeTuple, denialOf, LONG_TIMEOUT, request, startRatelimit } from '../support.ts';
import { adminOf } from './admin-support.ts';
import { inEachStore } from './stores.ts';

const run = `${process.pid}.${Date.now()}`;
const SLOW = 'premium:portal'; // 20 per hour
const fingerprint = (text: string) => createHash('sha256').update(text).digest('hex').slice(0, 16);

inEachStore({}, (opened) => {
  /** Fills a bucket, and is denied this many times. */
  async function deny([bucket, identities, limit = 1]: ChargeTuple, times: number): Promise<void> {
    await denialOf(opened().peer, [[bucket, identities, limit]]);
    for (let n = 0; n < times; n++)
      expect(await denialOf(opened().peer, [[bucket, identities]])).not.toBeNull();
  }

  test('lists who was denied most: IDs, and the fingerprints of addresses, names and credentials', async () => {
    const address = `${run}@example.com`;
    await deny([SLOW, [`account:${run}`], 20], 4);
    await deny(['login:ip', [`ip:${run}`], 10], 3);
    await deny(['auth:login:email', [address], 5], 2);
    await deny(['invite:create', [`account:${run}`, 'channel:1'], 20], 1);
    const identities = await opened().admin.denied();
    const now_ms = Date.now();
    expect(identities.slice(0, 4)).toMatchObject([
      {
        bucket: SLOW,
        kind: 'account',
        identity: `account:${run}`,
        fingerprint: fingerprint(`account:${run}`),
        denials: 4,
      },
      { bucket: 'login:ip', kind: 'ip', identity: null, fingerprint: fingerprint(`ip:${run}`), denials: 3 },
      {
        bucket: 'auth:login:email',
        kind: 'login_name',
        identity: null,
        fingerprint: fingerprint(address),
        denials: 2,
      },
      { bucket: 'invite:create', kind: 'account', identity: `account:${run}`, denials: 1 },
    ]);
    for (const { last_denied_at_ms, denied_until_ms } of identities) {
      expect(Math.abs(last_denied_at_ms - now_ms)).toBeLessThan(600_000);
      expect(denied_until_ms).toBeGreaterThan(last_denied_at_ms);
    }
    expect(await opened().admin.denied(2)).toHaveLength(2);
    expect((await opened().admin.lookUp(address)).fingerprint).toBe(fingerprint(address));
  });

  test('looks an identity up in its own buckets, and in those that have denied it', async () => {
    const { admin, peer } = opened();
    const account = `account:looked-up-${run}`;
    await denialOf(peer, [
      [SLOW, [account], 5],
      ['guild:create', [account], 2],
    ]);
    await denialOf(peer, [['invite:create', [account, 'channel:2'], 20]]);
    const bucketsOf = async () =>
      (await admin.lookUp(account)).buckets.map(({ state, identities }) => [
        state?.bucket,
        identities.length,
      ]);
    expect((await bucketsOf()).sort()).toEqual(
      [
        ['guild:create', 1],
        [SLOW, 1],
      ].sort(),
    );
    expect(await denialOf(peer, [['invite:create', [account, 'channel:2']]])).not.toBeNull();
    expect((await bucketsOf())[0]).toEqual(['invite:create', 2]); // the longest wait first
    expect(await admin.reset(account, 'guild:create')).toEqual([`guild:create ${account}`]);
    expect(await denialOf(peer, [['guild:create', [account], 10]])).toBeNull();
    expect((await admin.reset(account)).sort()).toEqual(
      [`guild:create ${account}`, `${SLOW} ${account}`, `invite:create ${account} channel:2`].sort(),
    );
    expect(await bucketsOf()).toEqual([]);
    expect(await denialOf(peer, [['invite:create', [account, 'channel:2'], 20]])).toBeNull();
  });
});

describe('100,000 identities that are denied', () => {
  test('take bounded memory, and those with the most denials stay on the list', async () => {
    const served = await startRatelimit({ max_buckets: 1_000_000 });
    const admin = adminOf(served);
    const denied = (account: string) => request([[SLOW, [account], 20]], [[SLOW, [account]]]);
    for (let from = 0; from < 100_000; from += 250) {
      const accounts = Array.from({ length: 240 }, (_, n) => `account:${from + n}`);
      const heavy = Array.from({ length: 10 }, (_, n) => `account:heavy-${n}`);
      const { answers } = await served.peer.client.checkMany(
        { checks: [...accounts, ...heavy].map(denied) },
        LONG_TIMEOUT,
      );
      expect(answers.every(({ denial }) => denial !== null)).toBe(true);
    }
    const top = await admin.denied(1000);
    expect(top).toHaveLength(1000);
    expect(
      top
        .slice(0, 10)
        .map(({ identity }) => identity)
        .sort(),
    ).toEqual(Array.from({ length: 10 }, (_, n) => `account:heavy-${n}`));
    for (const { denials } of top.slice(0, 10)) expect(denials).toBe(400);
    admin.close();
    await served.close();
  });

  test('of one minute are at most 2,048', () => {
    const buckets = new DeniedBuckets();
    const rule = {
      name: 'list',
      index: 3,
      kind: 'leaky_bucket',
      limit: 1,
      window_us: 1,
      tick_us: 1,
      token: 1,
      capacity: 1,
    } as const;
    for (let n = 0; n < 100_000; n++)
      buckets.of({ rule, key: `account:${n}`, cost: 1 }, () => undefined).denials++;
    expect([...buckets.all()].length).toBeLessThanOrEqual(2048);
  });
});

test('more than 10,000 overrides are refused', { timeout: 60_000 }, async () => {
  const served = await startRatelimit();
  const admin = adminOf(served);
  for (let from = 0; from < 10_000; from += 500) {
    await Promise.all(
      Array.from({ length: 500 }, (_, n) => admin.set(`account:${from + n}`, { exempt: true })),
    );
  }
  await expect(admin.set('account:more', { exempt: true })).rejects.toMatchObject({
    reason: 'TOO_MANY_OVERRIDES',
  });
  await admin.set('account:7', { limit: 1, window_seconds: 1 });
  await admin.remove('account:7');
  await admin.set('account:more', { exempt: true });
  admin.close();
  await served.close();
});
