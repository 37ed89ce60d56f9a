import { isOutage } from '@gatehouse/kit/fault';
import type { Call, Client } from '@gatehouse/kit/rpc';
import { ProfileField, type RatelimitServiceDefinition } from '@gatehouse/proto/ratelimit';
import { rate } from '@gatehouse/ratelimit-client/leaky-bucket/leaky-bucket';
import type { MemoryStore } from '@gatehouse/ratelimit-client/leaky-bucket/memory-store';
import { changedTooManyTimes } from '../errors.ts';
import type { ProfileChanges } from './changes.ts';

/** Of a charge that takes well under a millisecond; nobody waits longer for a decision made here. */
const TIMEOUT_MS = 250;

const LIMITED = [
  ['bio', ProfileField.PROFILE_FIELD_BIO],
  ['pronouns', ProfileField.PROFILE_FIELD_PRONOUNS],
  ['accent_color', ProfileField.PROFILE_FIELD_ACCENT_COLOR],
  ['avatar', ProfileField.PROFILE_FIELD_AVATAR],
  ['banner', ProfileField.PROFILE_FIELD_BANNER],
] as const;

/**
 * 25 changes per 30 minutes and field (docs/rate-limits.md#profile-limits). Of the buckets kept here:
 * whoever opens the store gives it these rules.
 */
export const PROFILE_RULES = LIMITED.map(([name, field], index) => ({
  name,
  field,
  index,
  ...rate(25, 1800),
}));

/**
 * Counts the limited fields among the changes: all of them or, when one was changed too often, none.
 * @throws INVALID_FORM_BODY with the one field that has the longest wait
 */
export type TakeProfileChanges = (account_id: string, changes: ProfileChanges, call: Call) => Promise<void>;

/**
 * The limits are the ratelimit service's to count, for all replicas of this one. While it is gone or
 * slow, each replica counts by itself: nobody is kept from a change, and nobody makes them without end.
 */
export function profileLimits(
  ratelimit: Client<typeof RatelimitServiceDefinition>,
  local: Pick<MemoryStore, 'decide'>,
): TakeProfileChanges {
  return async (account_id, changes, call) => {
    const rules = PROFILE_RULES.filter(({ name }) => changes[name] !== undefined);
    if (rules.length === 0) return;
    let denial: Denial | undefined;
    try {
      denial = await take(ratelimit, account_id, rules, call);
    } catch (error) {
      if (!isOutage(error)) throw error;
      denial = takeLocally(local, account_id, rules);
    }
    if (denial !== undefined) throw changedTooManyTimes(denial.name, denial.retry_after_us);
  };
}

type Rule = (typeof PROFILE_RULES)[number];

interface Denial {
  readonly name: string;
  readonly retry_after_us: number;
}

async function take(
  ratelimit: Client<typeof RatelimitServiceDefinition>,
  account_id: string,
  rules: readonly Rule[],
  within: Call,
): Promise<Denial | undefined> {
  const request = { account_id, fields: rules.map(({ field }) => field) };
  const { denial } = await ratelimit.takeProfileChanges(request, { timeoutMs: TIMEOUT_MS, within });
  if (denial == null) return undefined;
  const rule = rules.find(({ field }) => field === denial.field);
  if (rule === undefined) throw new Error(`field ${denial.field} is denied, which was not asked for`);
  return { name: rule.name, retry_after_us: denial.retry_after_us };
}

function takeLocally(
  local: Pick<MemoryStore, 'decide'>,
  account_id: string,
  rules: readonly Rule[],
): Denial | undefined {
  const set = rules.map((rule) => ({ rule, key: account_id, cost: 1 }));
  const [denial] = local.decide([[set]]);
  return denial && { name: denial.rule.name, retry_after_us: denial.retry_after_us };
}
