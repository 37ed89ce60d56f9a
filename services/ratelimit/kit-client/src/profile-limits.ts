import { type Fault, invalidForm } from '@gatehouse/kit/fault';
import type { Call } from '@gatehouse/kit/rpc';
import { ProfileField } from '@gatehouse/proto/ratelimit';
import type { RateLimits } from './client.ts';

/** The limited fields (docs/rate-limits.md#profile-limits). */
const LIMITED = [
  ['bio', ProfileField.PROFILE_FIELD_BIO],
  ['pronouns', ProfileField.PROFILE_FIELD_PRONOUNS],
  ['accent_color', ProfileField.PROFILE_FIELD_ACCENT_COLOR],
  ['avatar', ProfileField.PROFILE_FIELD_AVATAR],
  ['banner', ProfileField.PROFILE_FIELD_BANNER],
] as const;

/** The changed members of a profile. Only those with a limit are counted. */
type Changes = { readonly [Name in (typeof LIMITED)[number][0]]?: unknown };

/**
 * Counts the limited fields among the changes: all of them, or none if one was changed too often. The profile is an
 * account's; with a guild, the account's member profile there.
 *
 * @throws INVALID_FORM_BODY with the one field that has the longest wait
 */
export type TakeProfileChanges = (
  profile: { readonly account_id: string; readonly guild_id?: string },
  changes: Changes,
  call: Call,
) => Promise<void>;

/** Makes the function that counts profile changes at ratelimit. */
export function profileLimits(limits: Pick<RateLimits, 'takeProfileChanges'>): TakeProfileChanges {
  return async (profile, changes, call) => {
    const limited = LIMITED.filter(([name]) => changes[name] !== undefined);
    if (limited.length === 0) return;
    const fields = limited.map(([, field]) => field);
    const denial = await limits.takeProfileChanges({ ...profile, fields }, call);
    if (denial === undefined) return;
    const name = limited.find(([, field]) => field === denial.field)?.[0];
    if (name === undefined)
      throw new Error(`ratelimit denied field ${denial.field}, which the request does not have`);
    throw changedTooManyTimes(name, denial.retry_after_us);
  };
}

/** 400: a profile field was changed too often. It is not a 429, and has no headers. */
function changedTooManyTimes(field: string, retry_after_us: number): Fault {
  const seconds = Math.max(Math.ceil(retry_after_us / 1_000_000), 1);
  const wait = seconds === 1 ? '1 second' : `${seconds} seconds`;
  const code = `${field.toUpperCase()}_CHANGED_TOO_MANY_TIMES`;
  return invalidForm([{ path: field, code, message: `Changed too many times. Try again in ${wait}.` }]);
}
