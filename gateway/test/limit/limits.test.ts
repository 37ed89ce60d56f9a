import { unavailable } from '@gatehouse/kit/fault';
import { silentLogger } from '@gatehouse/kit/log';
import { type Bucket, type ChargeSet, FailurePolicy } from '@gatehouse/proto/ratelimit';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { connectServices, type ServiceConnections } from '../../src/connections.ts';
import { RateLimited } from '../../src/http-error.ts';
import type { Limits } from '../../src/limit/limits.ts';
import { openLimits } from '../support/limits.ts';
import { checks, type Peers, startPeers } from '../support/peers.ts';

/** Told apart by their limits, which a denial's headers carry. */
const LIMIT = { short: 1, local: 2, open: 3, closed: 4 } as const;
const bucket = (name: keyof typeof LIMIT, policy: FailurePolicy, window_seconds: number): Bucket => ({
  name,
  limit: LIMIT[name],
  window_seconds,
  key: ['account'],
  aliases: [],
  policy,
});
const SERVED = {
  revision: 'a',
  buckets: [
    bucket('short', FailurePolicy.FAILURE_POLICY_LOCAL, 1),
    bucket('local', FailurePolicy.FAILURE_POLICY_LOCAL, 3600),
    bucket('open', FailurePolicy.FAILURE_POLICY_OPEN, 3600),
    bucket('closed', FailurePolicy.FAILURE_POLICY_CLOSED, 3600),
  ],
};

const set = (...buckets: (keyof typeof LIMIT)[]): ChargeSet => ({
  charges: buckets.map((name) => ({ bucket: name, identities: ['account:1'] })),
});

describe('the edge’s limits', () => {
  let peers: Peers;
  let services: ServiceConnections;
  let limits: Limits;
  let now_us = 0;
  beforeAll(async () => {
    peers = await startPeers();
    services = connectServices(peers.addresses, {
      transport: 'stream',
      certificates: undefined,
      log: silentLogger,
    });
  });
  beforeEach(async () => {
    peers.reset();
    limits = await openLimits(services, { served: SERVED, now_us: () => now_us });
  });
  afterEach(() => limits.close());
  afterAll(async () => {
    for (const service of Object.values(services)) service.close();
    await peers.close();
  });

  /** The limit of the bucket that denies and the wait in seconds; undefined: admitted. */
  async function charge(...sets: ChargeSet[]): Promise<{ limit: number; wait: unknown } | undefined> {
    try {
      await limits.charge(sets, 'a-request');
      return undefined;
    } catch (error) {
      if (!(error instanceof RateLimited)) throw error;
      return { limit: Number(error.headers['x-ratelimit-limit']), wait: error.members.retry_after };
    }
  }

  it('hold a denial as if its wait began when ratelimit was asked, and tell it as if when it answered', async () => {
    const denial = { bucket: 'local', limit: 2, retry_after_us: 1_000_000, empty_after_us: 2_000_000 };
    peers.answers.ratelimit = {
      check: () => {
        now_us += 300_000; // the way there and back takes as long
        return { denial, degraded: false };
      },
    };
    expect(await charge(set('local'))).toEqual({ limit: 2, wait: 1 });
    expect(await charge(set('local'))).toEqual({ limit: 2, wait: 1 });
    now_us += 699_999;
    expect(await charge(set('local'))).toEqual({ limit: 2, wait: 0.301 });
    expect(checks(peers)).toHaveLength(1);
    now_us += 1;
    await charge(set('local'));
    expect(checks(peers)).toHaveLength(2);
  });

  it('remember many denials beside each other', async () => {
    const wait = { retry_after_us: 1_000_000_000, empty_after_us: 2_000_000_000 };
    peers.denial = { bucket: 'local', limit: 2, ...wait };
    const of = (n: number): ChargeSet => ({ charges: [{ bucket: 'local', identities: [`account:${n}`] }] });
    await Promise.all(Array.from({ length: 1000 }, (_, n) => charge(of(n))));
    expect(checks(peers)).toHaveLength(1000);
    expect(limits.remembered()).toBe(1000);
    for (let n = 0; n < 1000; n++) await charge(of(n));
    expect(checks(peers)).toHaveLength(1000);
    expect(limits.counts).toMatchObject({ checks: 2000, remembered: 1000, local: 0 });
    expect(limits.counts.denied.get('local')).toBe(2000);
  });

  it('take calls that fail together, as those of a lost connection do, for one failure', async () => {
    let release = (): void => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    peers.answers.ratelimit = { check: () => gate.then(() => Promise.reject(unavailable())) };
    const charges = Array.from({ length: 50 }, () => charge(set('open')));
    await expect.poll(() => checks(peers).length).toBe(50);
    release();
    expect(await Promise.all(charges)).toEqual(charges.map(() => undefined));
    expect(limits.counts.local).toBe(50);
    expect(limits.isAlone()).toBe(false);
  });

  describe('while ratelimit is gone', () => {
    beforeAll(() => peers.stop('ratelimit'));
    afterAll(() => peers.restart('ratelimit'));

    it('admit by an open bucket, whatever its limit', async () => {
      for (let n = 0; n < 10; n++) expect(await charge(set('open'))).toBeUndefined();
      expect(limits.counts).toMatchObject({ checks: 10, local: 10 });
    });

    it('deny by a closed one for a second, and charge nothing of its set', async () => {
      for (let n = 0; n < 10; n++)
        expect(await charge(set('local', 'closed'))).toEqual({ limit: LIMIT.closed, wait: 1 });
      expect(await charge(set('local', 'open'))).toBeUndefined();
      expect(await charge(set('local'))).toBeUndefined();
      expect(await charge(set('local'))).toEqual({ limit: LIMIT.local, wait: 1800 });
    });

    it('report the longest wait of a set', async () => {
      for (let n = 0; n < 2; n++) await charge(set('local'));
      expect(await charge(set('closed', 'local'))).toEqual({ limit: LIMIT.local, wait: 1800 });
    });

    it('charge sets in order up to the one that denies', async () => {
      expect(await charge(set('local'), set('closed'), set('short'))).toEqual({
        limit: LIMIT.closed,
        wait: 1,
      });
      expect(await charge(set('short'))).toBeUndefined();
      now_us += 400_000;
      expect(await charge(set('short'), set('closed'))).toEqual({ limit: LIMIT.short, wait: 0.6 });
      expect(await charge(set('local'))).toBeUndefined();
      expect(await charge(set('local')), 'charged by the first check and by the last').toMatchObject({
        limit: LIMIT.local,
      });
    });

    it('admit again after exactly the wait', async () => {
      expect(await charge(set('short'))).toBeUndefined();
      now_us += 999_999;
      expect(await charge(set('short'))).toEqual({ limit: LIMIT.short, wait: 0.001 });
      now_us += 1;
      expect(await charge(set('short'))).toBeUndefined();
    });
  });
});
