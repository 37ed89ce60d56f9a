import { faultOf } from '@gatehouse/dev-env/faults';
import { ProfileField } from '@gatehouse/proto/ratelimit';
import { describe, expect, test } from 'vitest';
import { descriptor, envoyClient } from '../envoy/envoy-client.ts';
import { type ChargeTuple, charges, check, denialOf, LONG_TIMEOUT, request } from '../support.ts';
import { inEachStore } from './stores.ts';

const run = `${process.pid}.${Date.now()}`;
let identities = 0;
const somebody = (kind = 'account'): string => `${kind}:${run}:${++identities}`;
/** 20 per hour: nothing drains meanwhile. */
const SLOW = 'premium:portal';
const HOUR = 3600;

inEachStore({}, (opened) => {
  /** The number of further checks that are admitted, up to 200. */
  async function admits(...bucket: ChargeTuple): Promise<number> {
    const answers = await Promise.all(Array.from({ length: 200 }, () => denialOf(opened().peer, [bucket])));
    return answers.filter((denial) => denial === null).length;
  }

  describe('an override', () => {
    test('of a higher limit admits exactly the rest, and its end returns to the rule at once', async () => {
      const { admin, peer } = opened();
      const account = somebody();
      expect(await denialOf(peer, [[SLOW, [account], 15]])).toBeNull();
      expect(await admin.set(account, { bucket: SLOW, limit: 50, window_seconds: HOUR })).toBeUndefined();
      expect(await admits(SLOW, [account])).toBe(35);
      expect(await denialOf(peer, [[SLOW, [account]]])).toMatchObject({ bucket: SLOW, limit: 50 });
      expect(await admin.remove(account, SLOW)).toMatchObject({
        limit: 50,
        operator: 'ada',
        reason: 'a test',
      });
      expect(await denialOf(peer, [[SLOW, [account]]])).toMatchObject({ bucket: SLOW, limit: 20 });
      const { states } = await peer.client.peek({ charges: charges([[SLOW, [account]]]) }, LONG_TIMEOUT);
      expect(states[0]?.empty_after_us).toBeGreaterThan(HOUR * 0.9e6);
      expect(states[0]?.empty_after_us).toBeLessThanOrEqual(HOUR * 1e6); // at most the limit of the rule is left
    });

    test('of a lower limit admits what is left of it', async () => {
      const account = somebody();
      expect(await denialOf(opened().peer, [[SLOW, [account], 3]])).toBeNull();
      await opened().admin.set(account, { bucket: SLOW, limit: 5, window_seconds: HOUR });
      expect(await admits(SLOW, [account])).toBe(2);
      // The rule allows this cost, so it is no mistake of the caller, and denied.
      expect(await denialOf(opened().peer, [[SLOW, [account], 10]])).toMatchObject({
        bucket: SLOW,
        limit: 5,
      });
    });

    test('that exempts admits without counting, in all buckets', async () => {
      const { admin, peer } = opened();
      const account = somebody();
      expect(await denialOf(peer, [[SLOW, [account], 20]])).toBeNull();
      await admin.set(account, { exempt: true });
      expect(await admits(SLOW, [account])).toBe(200);
      expect(await admits('guild:create', [account])).toBe(200);
      expect(await check(peer, [[SLOW, [account]]], [['guild:create', [somebody()]]])).toMatchObject({
        denial: null,
      });
      const named = { charges: charges([[SLOW, [account]]]) };
      const { states } = await peer.client.peek(named, LONG_TIMEOUT);
      expect(states).toEqual([
        { bucket: SLOW, limit: 20, remaining: 20, retry_after_us: 0, empty_after_us: 0 },
      ]);
      const explained = await peer.client.explain({ check: request([[SLOW, [account]]]) }, LONG_TIMEOUT);
      expect(explained).toMatchObject({ admitted: true });
      expect(explained.explanations[0]).toMatchObject({ admitted: true, overridden: true, exempt: true });
      await peer.client.refund(named, LONG_TIMEOUT); // nothing was charged, so nothing is refunded
      await admin.remove(account);
      expect(await admits(SLOW, [account])).toBe(0);
      expect(await admits('guild:create', [account])).toBe(10);
    });

    test('of the bucket comes before one of all buckets, and the first identity of the key before others', async () => {
      const { admin } = opened();
      const account = somebody();
      const channel = somebody('channel');
      const bucket: ChargeTuple = ['invite:create', [account, channel]]; // 20 per minute
      await admin.set(channel, { bucket: 'invite:create', limit: 2, window_seconds: HOUR });
      expect(await admits(...bucket)).toBe(2);
      await admin.set(account, { limit: 5, window_seconds: HOUR });
      expect(await admits(...bucket)).toBe(3);
      await admin.set(account, { bucket: 'invite:create', limit: 9, window_seconds: HOUR });
      expect(await admits(...bucket)).toBe(4);
      expect(await admits('invite:create', [somebody(), somebody('channel')])).toBe(20);
    });

    test('of an alias is that of the bucket, and one of an e-mail address holds for its hash', async () => {
      const { admin } = opened();
      const address = `${run}@example.com`;
      await admin.set(address, { bucket: 'auth:login:email', limit: 7, window_seconds: HOUR });
      expect(await admits('auth:login:email', [address])).toBe(7);
      const before = await admin.set(somebody(), { bucket: 'email_change:orig', exempt: true });
      expect(before).toBeUndefined();
      const { overrides } = await admin.list(undefined, 1000);
      expect(overrides.filter(({ identity }) => identity === address)).toHaveLength(1);
    });

    test('replaces that of the same identity and bucket, and leaves the others', async () => {
      const { admin } = opened();
      const account = somebody();
      await admin.set(account, { limit: 1, window_seconds: 1 });
      await admin.set(account, { bucket: SLOW, limit: 2, window_seconds: 2 });
      expect(await admin.set(account, { bucket: SLOW, exempt: true })).toMatchObject({
        limit: 2,
        exempt: false,
      });
      expect(await admin.remove(account)).toMatchObject({ limit: 1 });
      expect(await admin.remove(account)).toBeUndefined();
      expect(await admin.remove(account, SLOW)).toMatchObject({ exempt: true });
    });

    test('exempts from slowmode, and counts changes of a profile', async () => {
      const { admin, peer } = opened();
      const account = String(++identities);
      const message = { account_id: account, channel_id: '1', interval_seconds: 60 };
      const take = async () => (await peer.client.takeSlowmode(message, LONG_TIMEOUT)).retry_after_us;
      expect(await take()).toBeNull();
      await admin.set(`account:${account}`, { limit: 1, window_seconds: HOUR });
      expect(await take()).toBeGreaterThan(0); // the interval is the channel's
      const changes = { account_id: account, fields: [ProfileField.PROFILE_FIELD_BIO] };
      expect((await peer.client.takeProfileChanges(changes, LONG_TIMEOUT)).denial).toBeNull();
      expect((await peer.client.takeProfileChanges(changes, LONG_TIMEOUT)).denial).not.toBeNull();
      await admin.set(`account:${account}`, { exempt: true });
      expect(await take()).toBeNull();
      expect((await peer.client.takeProfileChanges(changes, LONG_TIMEOUT)).denial).toBeNull();
    });

    test('holds for Envoy too', async () => {
      const { admin, served } = opened();
      const envoy = envoyClient(served.service.address);
      const webhook = somebody('webhook');
      const named = descriptor('webhook:execute', [['webhook', webhook]]);
      await admin.set(webhook, { limit: 2, window_seconds: HOUR });
      const answers = [await envoy.ask([named]), await envoy.ask([named]), await envoy.ask([named])];
      expect(answers.map(({ overall_code }) => overall_code)).toEqual(['OK', 'OK', 'OVER_LIMIT']);
      await admin.set(webhook, { exempt: true });
      expect((await envoy.ask([named])).overall_code).toBe('OK');
      envoy.close();
    });

    test('ends when it expires', async () => {
      const { admin, peer } = opened();
      const account = somebody();
      await admin.set(account, { exempt: true, expires_at_ms: Date.now() + 1_000 });
      expect(await denialOf(peer, [[SLOW, [account], 20]], [[SLOW, [account], 20]])).toBeNull();
      await expect.poll(() => denialOf(peer, [[SLOW, [account], 20]]), { timeout: 10_000 }).not.toBeNull();
      expect(await admin.lookUp(account)).toMatchObject({ overrides: [] });
      expect(await admin.remove(account)).toBeUndefined();
    });
  });

  // [what, override, path]
  test.each([
    ['a limit of 0', { limit: 0, window_seconds: 1 }, 'override.limit'],
    ['no limit', {}, 'override.limit'],
    ['no window', { limit: 1 }, 'override.window_seconds'],
    ['a window above a day', { limit: 1, window_seconds: 86_401 }, 'override.window_seconds'],
    ['a limit and an exemption', { limit: 1, window_seconds: 1, exempt: true }, 'override.exempt'],
    ['a limit that no bucket counts exactly', { limit: 4e9, window_seconds: 86_400 }, 'override.limit'],
    ['a limit of slowmode', { bucket: 'slowmode', limit: 1, window_seconds: 1 }, 'override.limit'],
    ['an expiry in the past', { exempt: true, expires_at_ms: Date.now() - 1000 }, 'override.expires_at_ms'],
    [
      'an expiry too far ahead',
      { exempt: true, expires_at_ms: Date.now() + 367 * 86.4e6 },
      'override.expires_at_ms',
    ],
    ['a long reason', { exempt: true, reason: 'x'.repeat(2_049) }, 'override.reason'],
  ])('%s is BAD_OVERRIDE', async (_, options, path) => {
    const fault = await faultOf(opened().admin.set(somebody(), options));
    expect({ reason: fault.reason, paths: fault.violations.map((violation) => violation.path) }).toEqual({
      reason: 'BAD_OVERRIDE',
      paths: [path],
    });
  });

  test('unknown buckets, bad identities and bad pages are refused', async () => {
    const { admin } = opened();
    const reasonOf = async (call: Promise<unknown>) => (await faultOf(call)).reason;
    expect(await reasonOf(admin.set(somebody(), { bucket: 'none', exempt: true }))).toBe('UNKNOWN_BUCKET');
    expect(await reasonOf(admin.remove(somebody(), 'none'))).toBe('UNKNOWN_BUCKET');
    expect(await reasonOf(admin.reset(somebody(), 'none'))).toBe('UNKNOWN_BUCKET');
    for (const identity of ['', 'x'.repeat(513)]) {
      expect(await reasonOf(admin.set(identity, { exempt: true }))).toBe('BAD_IDENTITY');
      expect(await reasonOf(admin.lookUp(identity))).toBe('BAD_IDENTITY');
      expect(await reasonOf(admin.reset(identity))).toBe('BAD_IDENTITY');
    }
    expect(await reasonOf(admin.list('nonsense'))).toBe('BAD_PAGE');
    expect(await reasonOf(admin.list(undefined, 1001))).toBe('BAD_PAGE');
    expect(await reasonOf(admin.denied(0))).toBe('BAD_PAGE');
  });

  test('pages list every override once, those that expire first at the front', async () => {
    const { admin } = opened();
    const expires_at_ms = Date.now() + 60_000;
    const accounts = Array.from({ length: 25 }, () => somebody());
    for (const [n, account] of accounts.entries())
      await admin.set(account, { exempt: true, expires_at_ms: expires_at_ms + (n % 5) });
    const listed: string[] = [];
    let last_ms = 0;
    for (let after: string | undefined, more = true; more; ) {
      const { overrides, next } = await admin.list(after, 4);
      for (const override of overrides) {
        expect(override.expires_at_ms).toBeGreaterThanOrEqual(last_ms);
        last_ms = override.expires_at_ms;
        listed.push(override.identity);
      }
      after = next ?? undefined;
      more = after !== undefined;
    }
    expect(listed.filter((identity) => accounts.includes(identity)).sort()).toEqual([...accounts].sort());
  });

  test('setting and removing by many operators at once loses no change', async () => {
    const { admin } = opened();
    const kept = Array.from({ length: 20 }, () => somebody());
    const contested = somebody();
    await Promise.all([
      ...kept.map((account) => admin.set(account, { exempt: true })),
      ...kept.map(() => admin.set(contested, { limit: 1, window_seconds: 1 })),
      ...kept.map(() => admin.remove(contested)),
    ]);
    const { overrides } = await admin.list(undefined, 1000);
    const listed = overrides.map(({ identity }) => identity);
    expect(kept.filter((account) => !listed.includes(account))).toEqual([]);
    const held = listed.includes(contested);
    expect((await admin.remove(contested)) !== undefined).toBe(held);
  });
});
