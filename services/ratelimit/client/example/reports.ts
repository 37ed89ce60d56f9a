import { connectRateLimits } from '@gatehouse/ratelimit-client';

// A server's requests should wait less: 250 ms is the default.
const options = { timeout_ms: 5_000 };
const limits = connectRateLimits(process.env.RATELIMIT_ADDRESS ?? '127.0.0.1:8081', options);

/** Counts a report by an account. Returns the wait in seconds; 0: none. */
async function countReport(account_id: string): Promise<number> {
  const charges = [{ bucket: 'report', identities: [`account:${account_id}`] }];
  const denial = await limits.check([{ charges }]);
  return denial === undefined ? 0 : Math.ceil(denial.retry_after_us / 1_000_000);
}

for (let n = 1; n <= 11; n++) {
  const wait = await countReport('1001');
  process.stdout.write(wait === 0 ? `report ${n} is taken\n` : `report ${n} has to wait ${wait} s\n`);
}

limits.close();
