import type { Handler } from '@gatehouse/kit/rpc';
import {
  ProfileField,
  type TakeProfileChangesRequest,
  type TakeProfileChangesResponse,
} from '@gatehouse/proto/ratelimit';
import { bucketKey } from '../checks/bucket-key.ts';
import { readId } from '../checks/read-id.ts';
import type { Verdict } from '../checks/verdict.ts';
import type { Deps } from '../deps.ts';
import { badFields } from '../errors.ts';
import type { PROFILE_RULES } from '../reference/reference.ts';

const RULES: ReadonlyMap<ProfileField, (typeof PROFILE_RULES)[number]> = new Map([
  [ProfileField.PROFILE_FIELD_BIO, 'profile:bio'],
  [ProfileField.PROFILE_FIELD_PRONOUNS, 'profile:pronouns'],
  [ProfileField.PROFILE_FIELD_ACCENT_COLOR, 'profile:accent_color'],
  [ProfileField.PROFILE_FIELD_AVATAR, 'profile:avatar'],
  [ProfileField.PROFILE_FIELD_BANNER, 'profile:banner'],
]);

/** The fields are one set: all are counted, or none is. */
export function takeProfileChanges(
  deps: Deps,
): Handler<TakeProfileChangesRequest, TakeProfileChangesResponse> {
  const { rules, decider } = deps;
  return ({ account_id, guild_id, fields }) => {
    const profile = [`account:${readId('account_id', account_id)}`];
    if (typeof guild_id === 'string') profile.push(`guild:${readId('guild_id', guild_id)}`);
    const key = bucketKey(profile);
    if (fields.length === 0 || new Set(fields).size < fields.length) throw badFields();
    const { internal } = rules.current();
    const set = fields.map((field) => {
      const name = RULES.get(field);
      if (name === undefined) throw badFields();
      return { rule: internal[name], key, cost: 1 };
    });
    const verdict = decider.decide([set]);
    return verdict instanceof Promise ? verdict.then(response) : response(verdict);
  };
}

function response({ denial, degraded }: Verdict): TakeProfileChangesResponse {
  if (denial === undefined) return { denial: null, degraded };
  const { rule, retry_after_us } = denial;
  const field = [...RULES].find(([, name]) => name === rule.name)?.[0];
  return {
    denial: { field: field ?? ProfileField.PROFILE_FIELD_UNSPECIFIED, retry_after_us },
    degraded,
  };
}
