import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { type SlowmodeMessage, slowmodeCheck } from '@gatehouse/ratelimit-client/slowmode';
import { badInterval } from '../errors.ts';
import type { Reference } from '../reference/reference.ts';
import { validateId } from './validate-id.ts';

const MAX_INTERVAL_SECONDS = 21_600;

/**
 * Validates a message in a channel with slowmode, and returns its check. A cost of 0 peeks.
 *
 * @throws BAD_INTERVAL, BAD_IDENTITY
 */
export function readSlowmodeCheck({ internal }: Reference, message: SlowmodeMessage, cost: 0 | 1): Check {
  validateId('account_id', message.account_id);
  validateId('channel_id', message.channel_id);
  const { interval_seconds } = message;
  if (interval_seconds < 1 || interval_seconds > MAX_INTERVAL_SECONDS) {
    throw badInterval(1, MAX_INTERVAL_SECONDS);
  }
  return slowmodeCheck(internal.slowmode, message, cost);
}
