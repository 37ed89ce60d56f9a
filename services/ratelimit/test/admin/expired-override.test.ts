import { silentLogger } from '@gatehouse/kit/log';
import { connectRateLimits } from '@gatehouse/ratelimit-kit-client';
import { expect, test } from 'vitest';
import { charges, until } from '../support.ts';
import { inEachStore } from './stores.ts';

/** 40 in 10 seconds. */
const QUICK = 'auth:sessions';
const DAY = 86_400;

inEachStore({}, (opened) => {
  test('an override that expires ends the denials that edges remember', async () => {
    const { admin, served } = opened();
    const edge = connectRateLimits(served.service.address, { timeout_ms: 5_000, log: silentLogger });
    const account = `account:${process.pid}.${Date.now()}`;
    const asks = async (cost: number) =>
      (await edge.check([{ charges: charges([[QUICK, [account], cost]]) }])) === undefined;
    const expires_at_ms = Date.now() + 3_000;
    // An edge remembers no denial under another limit than it knows. The window may be another one.
    await admin.set(account, { bucket: QUICK, limit: 40, window_seconds: DAY, expires_at_ms });
    expect(await asks(40)).toBe(true);
    await until(async () => !(await asks(1)) && edge.remembered() === 1);
    await until(() => asks(1));
    expect(Date.now()).toBeGreaterThan(expires_at_ms - 1_000); // not because of an earlier change
    edge.close();
  });
});
