import { ProfileField, type TakeProfileChangesRequest } from '@gatehouse/proto/ratelimit';
import { bucketKey } from './keys/bucket-key.ts';
import type { BucketRule, Charge, Denial } from './leaky-bucket/store.ts';

/** The bucket of each field (docs/rate-limits.md#profile-limits). */
const FIELD_BUCKETS = [
  [ProfileField.PROFILE_FIELD_BIO, 'profile:bio'],
  [ProfileField.PROFILE_FIELD_PRONOUNS, 'profile:pronouns'],
  [ProfileField.PROFILE_FIELD_ACCENT_COLOR, 'profile:accent_color'],
  [ProfileField.PROFILE_FIELD_AVATAR, 'profile:avatar'],
  [ProfileField.PROFILE_FIELD_BANNER, 'profile:banner'],
] as const;

type ProfileRules<R> = Readonly<Record<(typeof FIELD_BUCKETS)[number][1], R>>;

/** The charges of changed fields, as one set. Fields without a bucket are left out. */
export function profileCharges<R extends BucketRule>(
  rules: ProfileRules<R>,
  { account_id, guild_id, fields }: TakeProfileChangesRequest,
): readonly (Charge & { readonly rule: R })[] {
  const profile = [`account:${account_id}`];
  if (typeof guild_id === 'string') profile.push(`guild:${guild_id}`);
  const key = bucketKey(profile);
  return fields.flatMap((field) => {
    const name = FIELD_BUCKETS.find(([limited]) => limited === field)?.[1];
    return name === undefined ? [] : { rule: rules[name], key, cost: 1 };
  });
}

/** The field whose bucket denies. */
export function deniedField({ rule }: Denial): ProfileField {
  return FIELD_BUCKETS.find(([, name]) => name === rule.name)?.[0] ?? ProfileField.PROFILE_FIELD_UNSPECIFIED;
}
