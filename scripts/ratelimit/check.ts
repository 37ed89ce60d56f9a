import type { Client } from '@gatehouse/kit/rpc';
import type { RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import type { ChargeOptions } from './arguments.ts';
import { duration, say, tokens } from './say.ts';

export type Peer = Client<typeof RatelimitServiceDefinition>;
export const PATIENCE = { timeoutMs: 5_000 };

/** Charges a bucket, says what came of it, and returns whether it was admitted. */
export async function check(peer: Peer, { bucket, identities, cost, json }: ChargeOptions): Promise<boolean> {
  const sets = [{ charges: [{ bucket, identities: [...identities], cost }] }];
  const { denial, degraded } = await peer.check({ sets }, PATIENCE);
  const admitted = denial === null || denial === undefined;
  if (json) {
    say(JSON.stringify({ bucket, identities, cost, admitted, degraded, denial: denial ?? null }));
    return admitted;
  }
  const by = degraded ? ' (the store does not answer: decided by failure policy)' : '';
  if (admitted) say(`admitted: ${tokens(cost)} of ${bucket}${by}`);
  else {
    say(`denied: ${denial.bucket} admits ${tokens(cost)} in ${duration(denial.retry_after_us)}${by}`);
    say(`        limit ${denial.limit}, completely empty in ${duration(denial.empty_after_us)}`);
  }
  return admitted;
}
