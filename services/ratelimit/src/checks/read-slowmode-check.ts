import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { type SlowmodeMessage, slowmodeCheck } from '@gatehouse/ratelimit-client/slowmode';
import { badInterval } from '../errors.ts';
import { internalCheck } from '../overrides/internal-charges.ts';
import type { Overrides } from '../overrides/overrides.ts';
import type { Rules } from '../reference/rules.ts';
import { validateId } from './validate-id.ts';

const MAX_INTERVAL_SECONDS = 21_600;

/**
 * Validates a message in a channel with slowmode, and returns its check. A cost of 0 peeks. An override may exempt the account
 * or the channel.
 *
 * @throws BAD_INTERVAL, BAD_IDENTITY
 */
export function readSlowmodeCheck(
  { rules, overrides }: { readonly rules: Rules; readonly overrides: Pick<Overrides, 'table'> },
  message: SlowmodeMessage,
  cost: 0 | 1,
): Check {
  validateId('account_id', message.account_id);
  validateId('channel_id', message.channel_id);
  const { interval_seconds } = message;
  if (interval_seconds < 1 || interval_seconds > MAX_INTERVAL_SECONDS) {
    throw badInterval(1, MAX_INTERVAL_SECONDS);
  }
  const [set] = slowmodeCheck(rules.current().internal.slowmode, message, cost);
  return internalCheck(set, overrides.table);
}
