import type { Check } from '@gatehouse/ratelimit-client/leaky-bucket/store';
import { type SlowmodeMessage, slowmodeCheck } from '@gatehouse/ratelimit-client/slowmode';
import { badInterval } from '../errors.ts';
import type { Reference } from '../reference/reference.ts';
import { checkId } from './check-id.ts';

const MAX_INTERVAL_SECONDS = 21_600;

/**
 * Reads the charge of a message in a channel with slowmode.
 *
 * @throws BAD_INTERVAL, BAD_IDENTITY
 */
export function checkSlowmode({ internal }: Reference, message: SlowmodeMessage, cost: 0 | 1): Check {
  checkId('account_id', message.account_id);
  checkId('channel_id', message.channel_id);
  const { interval_seconds } = message;
  if (interval_seconds < 1 || interval_seconds > MAX_INTERVAL_SECONDS) {
    throw badInterval(1, MAX_INTERVAL_SECONDS);
  }
  return slowmodeCheck(internal.slowmode, message, cost);
}
