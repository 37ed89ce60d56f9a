import { isUniqueViolation } from '@gatehouse/kit/db/errors';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import { Form } from '@gatehouse/kit/form';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import type { UpdateCurrentUserRequest, UpdateCurrentUserResponse } from '@gatehouse/proto/auth';
import { currentUser } from '../accounts/account-view.ts';
import { failTaken } from '../accounts/registration.ts';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { nameChangedHands } from '../errors.ts';
import { type ApprovedChanges, applyChanges } from '../profile/apply.ts';
import { changesOf, newKeys } from '../profile/changes.ts';
import { readProfileForm } from '../profile/form.ts';
import type { Account } from '../store/account.ts';
import { findTaken } from '../store/accounts.ts';
import { outdatedProof } from '../sudo/live-sudo.ts';
import { requireSudo } from '../sudo/sudo.ts';

/** All refusals come before the limits are charged, and that before anything is changed. */
export function updateCurrentUser(deps: Deps): Handler<UpdateCurrentUserRequest, UpdateCurrentUserResponse> {
  const { findAccount, passwords, takeProfileChanges } = deps;
  return async (request, call) => {
    const { account_id } = requireSession(call.caller);
    const wanted = await readProfileForm(deps, request, call);
    const before = await findAccount(account_id);
    if (before === undefined) throw unauthorized();
    const changes = changesOf(before, wanted);
    if (Object.keys(changes).length === 0) return { user: currentUser(before) };

    const { email, new_password } = changes;
    // Before names are looked up: without a proof the answer must not tell which addresses have accounts.
    const needed = email !== undefined || new_password !== undefined;
    const sudo = needed ? await requireSudo(deps, request, call) : undefined;
    await refuseTaken(deps, before, changes);
    const password_hash =
      new_password === undefined ? undefined : await passwords.hash(new_password, call.signal);
    await takeProfileChanges(account_id, changes, call);

    const end_other_sessions = request.end_other_sessions === true;
    const approved = { before, changes, password_hash, end_other_sessions, sudo };
    return { user: currentUser(await apply(deps, approved, call)) };
  };
}

async function refuseTaken(
  { records }: Deps,
  before: Account,
  changes: ApprovedChanges['changes'],
): Promise<void> {
  const keys = newKeys(before, changes);
  if (keys.email_key === undefined && keys.username_key === undefined) return;
  const form = new Form();
  failTaken(form, await findTaken(records, keys));
  form.check();
}

async function apply(deps: Deps, approved: ApprovedChanges, { caller }: Call): Promise<Account> {
  const { before, changes } = approved;
  let account: Account | undefined;
  try {
    account = await inTransaction(deps.db, (tx) => applyChanges(tx, deps, approved, caller));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await refuseTaken(deps, before, changes); // another request was faster
    throw nameChangedHands();
  }
  if (account === undefined) throw await outdatedProof(deps, caller);
  if (approved.sudo !== undefined) deps.mail.kick(); // its mails are committed
  return account;
}
