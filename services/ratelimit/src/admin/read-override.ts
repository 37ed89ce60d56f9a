import type { Override as OverrideMessage } from '@gatehouse/proto/ratelimit-admin';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/rate';
import { badOverride, withPathPrefix } from '../errors.ts';
import { SLOWMODE } from '../overrides/overridden-rule.ts';
import type { Override, Quota } from '../overrides/override.ts';
import type { Reference, Rule } from '../reference/reference.ts';
import { readIdentity, readRow } from './read-names.ts';

const MAX_WINDOW_SECONDS = 86_400;
const MAX_AHEAD_MS = 366 * 86_400_000;
const MAX_OPERATOR_BYTES = 200;
/** 512 characters, the longest reason of an operator, of four bytes each. */
const MAX_REASON_BYTES = 2_048;

/**
 * Reads an override.
 *
 * @param now_ms the store's time
 * @throws BAD_OVERRIDE, BAD_IDENTITY, UNKNOWN_BUCKET, with the path in the request
 */
export function readOverride(
  message: OverrideMessage | null | undefined,
  reference: Reference,
  now_ms: number,
): Override {
  try {
    if (message === null || message === undefined) throw badOverride('identity', 'An override is missing.');
    const { expires_at_ms, operator, reason } = message;
    const identity = readIdentity(message.identity);
    const rule = readRow(message.bucket, reference);
    if (expires_at_ms <= now_ms || expires_at_ms > now_ms + MAX_AHEAD_MS)
      throw badOverride('expires_at_ms', 'An override expires in the future, within 366 days.');
    checkText('operator', operator, MAX_OPERATOR_BYTES);
    checkText('reason', reason, MAX_REASON_BYTES);
    return { identity, bucket: rule?.name, quota: readQuota(message, rule), expires_at_ms, operator, reason };
  } catch (error) {
    throw withPathPrefix(error, 'override');
  }
}

function readQuota(
  { limit, window_seconds, exempt }: OverrideMessage,
  rule: Rule | undefined,
): Quota | undefined {
  if (exempt) {
    if (isGiven(limit) || isGiven(window_seconds))
      throw badOverride('exempt', 'An override either exempts, or has a limit and a window.');
    return undefined;
  }
  if (!isGiven(limit) || limit < 1)
    throw badOverride('limit', 'An override exempts, or has a limit of at least 1.');
  if (!isGiven(window_seconds) || window_seconds < 1 || window_seconds > MAX_WINDOW_SECONDS)
    throw badOverride('window_seconds', `A window has 1 to ${MAX_WINDOW_SECONDS} seconds.`);
  if (rule?.name === SLOWMODE)
    throw badOverride('limit', 'The interval of slowmode is the channel’s: an override can only exempt.');
  checkRate(limit, window_seconds, rule);
  return { limit, window_seconds };
}

/** The bounds of an exact bucket. */
function checkRate(limit: number, window_seconds: number, rule: Rule | undefined): void {
  try {
    rate(limit, window_seconds, rule?.kind);
  } catch (error) {
    throw badOverride('limit', `This limit is not possible: ${(error as RangeError).message}.`);
  }
}

function checkText(path: string, text: string, maxBytes: number): void {
  if (Buffer.byteLength(text) > maxBytes) throw badOverride(path, `This text has at most ${maxBytes} bytes.`);
}

function isGiven(value: number | null | undefined): value is number {
  return value !== null && value !== undefined;
}
