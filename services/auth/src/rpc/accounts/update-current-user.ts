import { isUniqueViolation } from '@gatehouse/kit/db/errors';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import { Form } from '@gatehouse/kit/form';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import { openUploads } from '@gatehouse/media-client/uploads';
import type { UpdateCurrentUserRequest, UpdateCurrentUserResponse } from '@gatehouse/proto/auth';
import { currentUser } from '../../accounts/account-view.ts';
import { failTaken } from '../../accounts/registration.ts';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { nameChangedHands } from '../../errors.ts';
import { type ApprovedChanges, applyChanges } from '../../profile/apply.ts';
import { changesOf, newKeys, type ProfileChanges } from '../../profile/changes.ts';
import { readProfileForm } from '../../profile/form.ts';
import type { Account } from '../../store/accounts/account.ts';
import { findTaken } from '../../store/accounts/accounts.ts';
import { outdatedProof } from '../../sudo/live-sudo.ts';
import { requireSudo } from '../../sudo/sudo.ts';

/** All checks come before the rate limits, and these before any change. */
export function updateCurrentUser(deps: Deps): Handler<UpdateCurrentUserRequest, UpdateCurrentUserResponse> {
  return async (request, call) => {
    const { account_id } = requireSession(call.caller);
    const uploads = openUploads(deps.media, call);
    let changes: ProfileChanges = {};
    try {
      const wanted = await readProfileForm(uploads, request);
      const before = await deps.batched.findAccount(account_id);
      if (before === undefined) throw unauthorized();
      const approved = await approve(deps, before, changesOf(before, wanted), request, call);
      if (approved === undefined) return { user: currentUser(before) };
      changes = approved.changes; // from here on, stored pictures may belong to the account
      return { user: currentUser(await apply(deps, approved, call)) };
    } finally {
      uploads.dropAllBut([changes.avatar, changes.banner]);
    }
  };
}

/** Undefined if nothing changes. */
async function approve(
  deps: Deps,
  before: Account,
  changes: ProfileChanges,
  request: UpdateCurrentUserRequest,
  call: Call,
): Promise<ApprovedChanges | undefined> {
  if (Object.keys(changes).length === 0) return undefined;
  const { email, new_password } = changes;
  // Before names are looked up: without a proof, a caller must not learn that an address is taken.
  const needed = email !== undefined || new_password !== undefined;
  const sudo = needed ? await requireSudo(deps, request, call) : undefined;
  await refuseTaken(deps, before, changes);
  const password_hash =
    new_password === undefined ? undefined : await deps.passwords.hash(new_password, call);
  await deps.takeProfileChanges({ account_id: before.id }, changes, call);
  return { before, changes, password_hash, end_other_sessions: request.end_other_sessions === true, sudo };
}

async function refuseTaken(
  { prisma }: Deps,
  before: Account,
  changes: ApprovedChanges['changes'],
): Promise<void> {
  const keys = newKeys(before, changes);
  if (keys.email_key === undefined && keys.username_key === undefined) return;
  const form = new Form();
  failTaken(form, await findTaken(prisma, keys));
  form.check();
}

async function apply(deps: Deps, approved: ApprovedChanges, { caller }: Call): Promise<Account> {
  const { before, changes } = approved;
  let account: Account | undefined;
  try {
    account = await inTransaction(deps.db, (tx) => applyChanges(tx, deps, approved, caller));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await refuseTaken(deps, before, changes); // a concurrent request took a name
    throw nameChangedHands();
  }
  if (account === undefined) throw await outdatedProof(deps, caller);
  if (approved.sudo !== undefined) deps.mail.wake(); // its mails are committed
  if (changes.avatar !== undefined || changes.banner !== undefined)
    await deps.pictureChanges.send(account.id);
  return account;
}
