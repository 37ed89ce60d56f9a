import { ExitCode } from '../../failures.ts';
import { duration, tokens } from '../../output/quantities.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { type ChargeOptions, callRatelimit, RATELIMIT_TIMEOUT } from './ratelimit-service.ts';

/** Charges a bucket and prints the decision. */
export async function check(options: ChargeOptions, runtime: Runtime): Promise<void> {
  const { bucket, identities, cost, json } = options;
  const sets = [{ charges: [{ bucket, identities: [...identities], cost }] }];
  const { denial = null, degraded } = await callRatelimit(options, runtime, (client) =>
    client.check({ sets }, { ...RATELIMIT_TIMEOUT, signal: runtime.signal }),
  );
  const admitted = denial === null;
  if (!admitted) runtime.exitCode = ExitCode.NEGATIVE;
  if (json) {
    printLine(runtime, JSON.stringify({ bucket, identities, cost, admitted, degraded, denial }));
    return;
  }
  const by = degraded ? ' (the store does not answer: decided by failure policy)' : '';
  if (admitted) printLine(runtime, `admitted: ${tokens(cost)} of ${bucket}${by}`);
  else {
    const { bucket: deniedBy, limit, retry_after_us, empty_after_us } = denial;
    printLine(runtime, `denied: ${deniedBy} admits ${tokens(cost)} in ${duration(retry_after_us)}${by}`);
    printLine(runtime, `        limit ${limit}, completely empty in ${duration(empty_after_us)}`);
  }
}
