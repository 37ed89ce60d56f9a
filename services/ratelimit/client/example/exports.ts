import { setTimeout as sleep } from 'node:timers/promises';
import { connectRateLimits } from '@gatehouse/ratelimit-client';

// A server's requests should wait less: 250 ms is the default.
const options = { timeout_ms: 5_000 };
const limits = connectRateLimits(process.env.RATELIMIT_ADDRESS ?? '127.0.0.1:8081', options);

/** Makes an export for an account, unless as many run as its limit allows. */
async function exportMessages(account_id: string): Promise<string> {
  const charge = { bucket: 'exports', identities: [`account:${account_id}`] };
  const { lease, denial } = await limits.acquire(charge);
  if (lease === undefined) return `${denial.limit} exports run already`;
  try {
    await sleep(100, undefined, { signal: lease.signal }); // the work, which ends if the lease is lost
    return 'exported';
  } finally {
    await lease.release();
  }
}

const outcomes = await Promise.all(['1001', '1001', '1001'].map(exportMessages));
process.stdout.write(`${outcomes.sort().join('\n')}\n`);
process.stdout.write(`then: ${await exportMessages('1001')}\n`);

limits.close();
