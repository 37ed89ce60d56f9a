import type { Upload } from '@gatehouse/proto/media';
import type { Account } from '../store/accounts/account.ts';
import { type UniqueKeys, uniqueKey } from '../store/accounts/unique-keys.ts';
import type { RequestedProfile } from './profile-form.ts';

/** The requested values that differ from the current ones. */
export type ProfileChanges = {
  readonly [Field in keyof RequestedProfile]?: Exclude<RequestedProfile[Field], undefined>;
};

/** The same value is no change: it needs no proof and counts against no limit. */
export function changesOf(account: Account, requested: RequestedProfile): ProfileChanges {
  const { new_password } = requested;
  return {
    ...changedField('username', requested.username, account),
    ...changedField('email', requested.email, account),
    ...changedField('global_name', requested.global_name, account),
    ...changedField('bio', requested.bio, account),
    ...changedField('pronouns', requested.pronouns, account),
    ...changedField('accent_color', requested.accent_color, account),
    ...changedField('locale', requested.locale, account),
    ...changedPicture('avatar', requested.avatar, account),
    ...changedPicture('banner', requested.banner, account),
    // The current password is not known, so a new password always is a change.
    ...(new_password !== undefined && { new_password }),
  };
}

/** The keys of a new address or user name, which no other account may have. */
export function newKeys(account: Account, { username, email }: ProfileChanges): UniqueKeys {
  return {
    username_key: newKey(username, account.username),
    email_key: newKey(email, account.email),
  };
}

function newKey(text: string | undefined, before: string | null): string | undefined {
  if (text === undefined || (before !== null && uniqueKey(text) === uniqueKey(before))) return undefined;
  return uniqueKey(text);
}

type PlainField = 'username' | 'email' | 'global_name' | 'bio' | 'pronouns' | 'accent_color' | 'locale';

export function changedField(field: PlainField, value: RequestedProfile[PlainField], account: Account) {
  return value !== undefined && value !== account[field] ? { [field]: value } : {};
}

export function changedPicture(
  kind: 'avatar' | 'banner',
  picture: Upload | null | undefined,
  account: Account,
) {
  if (picture === undefined || (picture?.hash ?? null) === account[kind]) return {};
  return { [kind]: picture };
}
