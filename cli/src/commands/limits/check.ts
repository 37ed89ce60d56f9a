import { ExitCode } from '../../failures.ts';
import { duration, permits, tokens } from '../../output/quantities.ts';
import { printLine, type Runtime } from '../../runtime.ts';
import { type ChargeOptions, callRatelimit, checkOf, RATELIMIT_TIMEOUT } from './ratelimit-service.ts';

/** Charges a bucket, or grants or renews a lease, and prints the decision. */
export async function check(options: ChargeOptions, runtime: Runtime): Promise<void> {
  const { bucket, identities, cost, lease, json } = options;
  const { denial = null, degraded } = await callRatelimit(options, runtime, (client) =>
    client.check(checkOf(options), { ...RATELIMIT_TIMEOUT, signal: runtime.signal }),
  );
  const admitted = denial === null;
  if (!admitted) runtime.exitCode = ExitCode.NEGATIVE;
  if (json) {
    printLine(runtime, JSON.stringify({ bucket, identities, cost, lease, admitted, degraded, denial }));
    return;
  }
  const amount = lease === undefined ? tokens(cost) : permits(cost);
  const by = degraded ? ' (the store does not answer: decided by failure policy)' : '';
  if (admitted) printLine(runtime, `admitted: ${amount} of ${bucket}${by}`);
  else {
    const { bucket: deniedBy, limit, retry_after_us, empty_after_us } = denial;
    printLine(runtime, `denied: ${deniedBy} admits ${amount} in ${duration(retry_after_us)}${by}`);
    printLine(runtime, `        limit ${limit}, completely empty in ${duration(empty_after_us)}`);
  }
}
