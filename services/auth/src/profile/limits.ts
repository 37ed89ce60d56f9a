import type { Call } from '@gatehouse/kit/rpc';
import { ProfileField } from '@gatehouse/proto/ratelimit';
import type { RateLimits } from '@gatehouse/ratelimit-client';
import { changedTooManyTimes } from '../errors.ts';
import type { ProfileChanges } from './changes.ts';

/** The limited columns (docs/rate-limits.md#profile-limits). */
const LIMITED = [
  ['bio', ProfileField.PROFILE_FIELD_BIO],
  ['pronouns', ProfileField.PROFILE_FIELD_PRONOUNS],
  ['accent_color', ProfileField.PROFILE_FIELD_ACCENT_COLOR],
  ['avatar', ProfileField.PROFILE_FIELD_AVATAR],
  ['banner', ProfileField.PROFILE_FIELD_BANNER],
] as const;

/**
 * Counts the limited fields among the changes: all of them or, when one was changed too often, none.
 * @throws INVALID_FORM_BODY with the one field that has the longest wait
 */
export type TakeProfileChanges = (account_id: string, changes: ProfileChanges, call: Call) => Promise<void>;

/** Has ratelimit count them. */
export function profileLimits(limits: Pick<RateLimits, 'takeProfileChanges'>): TakeProfileChanges {
  return async (account_id, changes, call) => {
    const limited = LIMITED.filter(([name]) => changes[name] !== undefined);
    if (limited.length === 0) return;
    const fields = limited.map(([, field]) => field);
    const denial = await limits.takeProfileChanges({ account_id, fields }, call);
    if (denial === undefined) return;
    const name = limited.find(([, field]) => field === denial.field)?.[0];
    if (name === undefined) throw new Error(`field ${denial.field} is denied, which was not asked for`);
    throw changedTooManyTimes(name, denial.retry_after_us);
  };
}
