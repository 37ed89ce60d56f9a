import { isOutage } from '@gatehouse/kit/fault';
import type { Call, Client } from '@gatehouse/kit/rpc';
import type { RatelimitServiceDefinition, TakeSlowmodeRequest } from '@gatehouse/proto/ratelimit';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import type { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';

/** Of a charge that takes well under a millisecond; a sender waits no longer for a decision made here. */
const TIMEOUT_MS = 250;

/** The one kind of bucket here: whoever opens the store gives it this rule. */
export const SLOWMODE_RULE = { name: 'slowmode', index: 0, ...rate(1, 21_600) };

/** Counts a message that is about to be sent: microseconds until it may be, undefined when it may now. */
export type TakeSlowmode = (message: TakeSlowmodeRequest, call: Call) => Promise<number | undefined>;

/**
 * Slowmode is the ratelimit service's to count, for all replicas of this one. While it is gone or slow,
 * each replica counts by itself: nobody is kept from sending, and nobody floods.
 */
export function slowmodeOf(
  ratelimit: Client<typeof RatelimitServiceDefinition>,
  local: Pick<MemoryStore, 'decide'>,
): TakeSlowmode {
  return async (message, call) => {
    try {
      const options = { timeoutMs: TIMEOUT_MS, within: call };
      const { retry_after_us } = await ratelimit.takeSlowmode(message, options);
      return retry_after_us ?? undefined;
    } catch (error) {
      if (!isOutage(error)) throw error;
      return takeLocally(local, message);
    }
  };
}

function takeLocally(
  local: Pick<MemoryStore, 'decide'>,
  { account_id, channel_id, interval_seconds }: TakeSlowmodeRequest,
): number | undefined {
  const rule = { ...SLOWMODE_RULE, ...rate(1, interval_seconds) };
  const [denial] = local.decide([[[{ rule, key: `${account_id}|${channel_id}`, cost: 1 }]]]);
  return denial?.retry_after_us;
}
