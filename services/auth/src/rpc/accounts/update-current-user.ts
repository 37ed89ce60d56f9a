import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import type { Call, Handler } from '@gatehouse/kit/rpc';
import { Uploads } from '@gatehouse/media-client/uploads';
import type { UpdateCurrentUserRequest, UpdateCurrentUserResponse } from '@gatehouse/proto/auth';
import { currentUser } from '../../accounts/account-view.ts';
import { refuseTakenKeys, reportTakenKeys } from '../../accounts/taken-keys.ts';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { type ApprovedChanges, applyChanges } from '../../profile/apply-changes.ts';
import { changesOf, newKeys, type ProfileChanges } from '../../profile/profile-changes.ts';
import { readProfileForm } from '../../profile/profile-form.ts';
import type { Account } from '../../store/accounts/account.ts';
import { outdatedProof } from '../../sudo/live-sudo.ts';
import { requireSudo } from '../../sudo/sudo.ts';

/** The rate limits come after all other checks. Nothing changes before they pass. */
export function updateCurrentUser(deps: Deps): Handler<UpdateCurrentUserRequest, UpdateCurrentUserResponse> {
  return async (request, call) => {
    const { account_id } = requireSession(call.caller);
    const uploads = new Uploads(deps.media, call);
    let changes: ProfileChanges = {};
    try {
      const requested = await readProfileForm(uploads, request);
      const before = await deps.batched.findAccount(account_id);
      if (before === undefined) throw unauthorized();
      const approved = await approve(deps, before, changesOf(before, requested), request, call);
      if (approved === undefined) return { user: currentUser(before) };
      changes = approved.changes; // from here on, stored pictures may belong to the account
      return { user: currentUser(await applyApproved(deps, approved, call)) };
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
  // The proof comes before the look-up of taken keys: without it, a caller must not learn that an address is taken.
  const needed = email !== undefined || new_password !== undefined;
  const sudo = needed ? await requireSudo(deps, request, call) : undefined;
  await refuseTakenKeys(deps.prisma, newKeys(before, changes));
  const password_hash =
    new_password === undefined ? undefined : await deps.passwords.hash(new_password, call);
  await deps.takeProfileChanges({ account_id: before.id }, changes, call);
  return { before, changes, password_hash, end_other_sessions: request.end_other_sessions === true, sudo };
}

async function applyApproved(deps: Deps, approved: ApprovedChanges, { caller }: Call): Promise<Account> {
  const { before, changes } = approved;
  const account = await reportTakenKeys(deps.prisma, newKeys(before, changes), () =>
    inTransaction(deps.db, (tx) => applyChanges(tx, deps, approved, caller)),
  );
  if (account === undefined) throw await outdatedProof(deps, caller);
  if (approved.sudo !== undefined) deps.mail.wake(); // mails about address and password are committed
  if (changes.avatar !== undefined || changes.banner !== undefined)
    await deps.pictureChanges.send(account.id);
  return account;
}
