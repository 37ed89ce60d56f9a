import type { CurrentUser, User } from '@gatehouse/proto/auth';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import type { Config } from '../config.ts';
import { type Account, hasMfa } from '../store/accounts/account.ts';

type EmailVisibility = Pick<Config, 'verified_email_only'>;

/** An account as shown to everybody (docs/credentials.md#public-user). */
export function publicUser(account: Account): User {
  return {
    id: account.id,
    username: account.username,
    discriminator: '0',
    global_name: account.global_name,
    avatar: account.avatar,
    bot: account.bot,
  };
}

/** An account as shown to its owner. */
export function currentUser(account: Account): CurrentUser {
  return {
    ...publicUser(account),
    email: account.email,
    verified: account.verified,
    bio: account.bio,
    pronouns: account.pronouns,
    accent_color: account.accent_color,
    banner: account.banner,
    mfa_enabled: hasMfa(account),
    authenticator_types: authenticatorTypes(account),
    password_last_changed_at: account.password_changed_at?.toISOString() ?? null,
    premium_type: 0,
    flags: account.flags,
    locale: account.locale,
  };
}

/**
 * An account as shown to an application that its owner has authorized: no address without the scope `email`, and nothing about second
 * factors, password and language (docs/credentials.md#current-user-for-access-tokens).
 */
function userForAccessToken(
  account: Account,
  scopes: readonly string[],
  { verified_email_only }: EmailVisibility,
): CurrentUser {
  const isShown = scopes.includes('email') && (account.verified || !verified_email_only);
  return {
    ...currentUser(account),
    email: isShown ? account.email : null,
    mfa_enabled: false,
    authenticator_types: [],
    password_last_changed_at: null,
    premium_type: 0,
    locale: null,
  };
}

/** An account as shown to this caller. */
export function userFor(account: Account, caller: Caller, config: EmailVisibility): CurrentUser {
  return caller.kind === CallerKind.CALLER_KIND_ACCESS_TOKEN
    ? userForAccessToken(account, caller.scopes, config)
    : currentUser(account);
}

/** The second factors, as named in `allowed_methods`. */
export function authenticatorTypes({ totp, webauthn }: Pick<Account, 'totp' | 'webauthn'>): string[] {
  return [...(totp ? ['totp'] : []), ...(webauthn ? ['webauthn'] : [])];
}

/** Masks an email address so that only its owner recognizes it: `a***@e***.com`. Hides lengths too. */
export function maskEmail(email: string): string {
  const at = email.lastIndexOf('@');
  const domain = email.slice(at + 1);
  const dot = domain.lastIndexOf('.');
  const topLevel = dot < 0 ? '' : domain.slice(dot);
  return `${email.slice(0, Math.min(at, 1))}***@${domain.slice(0, 1)}***${topLevel}`;
}
