import type { Upload } from '@gatehouse/proto/media';
import type { Account } from '../store/accounts/account.ts';
import { type AccountKeys, nameKey } from '../store/encryption/account-keys.ts';
import type { Wanted } from './form.ts';

/** The requested values that differ from the current ones. */
export type ProfileChanges = { readonly [Field in keyof Wanted]?: Exclude<Wanted[Field], undefined> };

/** Setting the same value is no change: it needs no proof and counts against no limit. */
export function changesOf(account: Account, wanted: Wanted): ProfileChanges {
  const { new_password } = wanted;
  return {
    ...changed('username', wanted.username, account),
    ...changed('email', wanted.email, account),
    ...changed('global_name', wanted.global_name, account),
    ...changed('bio', wanted.bio, account),
    ...changed('pronouns', wanted.pronouns, account),
    ...changed('accent_color', wanted.accent_color, account),
    ...changedPicture('avatar', wanted.avatar, account),
    ...changedPicture('banner', wanted.banner, account),
    // The old password is not known, so a password always is a change.
    ...(new_password !== undefined && { new_password }),
  };
}

/** The changed names that another account may have. */
export function newKeys(account: Account, { username, email }: ProfileChanges): AccountKeys {
  return {
    username_key: newKey(username, account.username),
    email_key: newKey(email, account.email),
  };
}

function newKey(name: string | undefined, before: string | null): string | undefined {
  if (name === undefined || (before !== null && nameKey(name) === nameKey(before))) return undefined;
  return nameKey(name);
}

type Plain = 'username' | 'email' | 'global_name' | 'bio' | 'pronouns' | 'accent_color';

export function changed(field: Plain, value: Wanted[Plain], account: Account) {
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
