import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { maskEmail } from '../accounts/account-view.ts';
import type { Deps } from '../deps.ts';
import { mailToken } from '../mail/mail-token.ts';
import { mailNotice } from '../mail/notice-mail.ts';
import { requireLiveSession } from '../sessions/live-session.ts';
import type { Account } from '../store/accounts/account.ts';
import { queuePictureChange } from '../store/accounts/picture-changes.ts';
import { type ProfileColumns, updateProfile } from '../store/accounts/profiles.ts';
import { uniqueKey } from '../store/accounts/unique-keys.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import { endPendingLogins } from '../store/login/pending-logins.ts';
import { deleteMailTokens, lockAddresseeById } from '../store/mail/mail-tokens.ts';
import { lockFactors } from '../store/mfa/factors.ts';
import { endAllSessions } from '../store/sessions/sessions.ts';
import { endOtherSudoGrants } from '../store/sessions/sudo-grants.ts';
import { requireLiveSudo } from '../sudo/live-sudo.ts';
import type { Sudo } from '../sudo/sudo.ts';
import type { ProfileChanges } from './profile-changes.ts';

/** Checked changes of an account. */
export interface ApprovedChanges {
  /** The account when the changes were checked. */
  readonly before: Account;
  readonly changes: ProfileChanges;
  /** The hash of the new password, if there is one. */
  readonly password_hash: string | undefined;
  readonly end_other_sessions: boolean;
  /** The proof, for changes that need sudo mode. A change of password before they are applied makes it void. */
  readonly sudo: Sudo | undefined;
}

/** Applies the changes in one transaction. Undefined if the account is gone, or the proof is outdated. */
export async function applyChanges(
  tx: PoolClient,
  deps: Deps,
  { before, changes, password_hash, end_other_sessions, sudo }: ApprovedChanges,
  caller: Caller,
): Promise<Account | undefined> {
  if (sudo !== undefined) {
    await lockFactors(tx, before.id);
    await requireLiveSudo(tx, sudo, caller);
  }
  const password_changed_at = sudo === undefined ? null : before.password_changed_at;
  const former = changes.email === undefined ? undefined : await lockAddresseeById(tx, before.id);
  const account = await updateProfile(tx, before.id, columnsOf(changes, password_hash), password_changed_at);
  if (account === undefined) return undefined;
  // A session that has ended meanwhile changes nothing.
  await requireLiveSession(tx, caller);
  for (const slot of ['avatar', 'banner'] as const) {
    const upload = changes[slot];
    if (upload !== undefined) await queuePictureChange(tx, account.id, slot, upload);
  }
  const isSameAddress = uniqueKey(former?.email ?? '') === uniqueKey(account.email ?? '');
  if (former !== undefined && !isSameAddress) await completeEmailChange(tx, deps, former, account, caller);
  if (password_hash !== undefined) {
    await completePasswordChange(tx, deps, account, end_other_sessions, caller);
    // If the address changes too, only the old mailbox is known to be the owner's.
    const owner = { ...account, email: before.email, verified: before.verified };
    await mailNotice(tx, deps, owner, { template: 'password-changed' }, caller);
  }
  return account;
}

function columnsOf(changes: ProfileChanges, password_hash: string | undefined): ProfileColumns {
  const { new_password: _, avatar, banner, ...plain } = changes;
  const { username, email } = plain;
  return {
    ...plain,
    ...(username !== undefined && { username_key: uniqueKey(username) }),
    ...(email !== undefined && { email_key: uniqueKey(email) }),
    ...(password_hash !== undefined && { password_hash }),
    ...(avatar !== undefined && { avatar: avatar?.hash ?? null }),
    ...(banner !== undefined && { banner: banner?.hash ?? null }),
  };
}

/**
 * A new address takes effect at once, unverified, and both addresses get mail. Another letter case is not a new
 * address.
 */
async function completeEmailChange(
  tx: PoolClient,
  deps: Deps,
  former: Pick<Account, 'email' | 'verified' | 'locale'>,
  account: Account,
  caller: Caller,
): Promise<void> {
  const { id, username, email } = account;
  // A reader of the old mailbox must not be able to use its tokens and held logins.
  await endPendingLogins(tx, id);
  await deleteMailTokens(tx, id, 'verify_email');
  await mailToken(tx, deps, 'verify_email', caller, account);
  const notice = { template: 'email-changed', email: maskEmail(email ?? '') } as const;
  await mailNotice(tx, deps, { ...former, username }, notice, caller);
  await insertSecurityEvent(tx, deps.ids(), { kind: 'email.changed', account_id: id, caller });
}

async function completePasswordChange(
  tx: PoolClient,
  { ids, counts }: Deps,
  { id }: Account,
  endOthers: boolean,
  caller: Caller,
): Promise<void> {
  await endPendingLogins(tx, id);
  // Sessions before grants, like a logout: deleting a session deletes its grant.
  const sessions = endOthers ? await endAllSessions(tx, id, caller.credential_id) : 0;
  counts.sessionsEnded('password', sessions);
  await endOtherSudoGrants(tx, id, caller.credential_id);
  const detail = { sessions };
  await insertSecurityEvent(tx, ids(), { kind: 'password.changed', account_id: id, caller, detail });
}
