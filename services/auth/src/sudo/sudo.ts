import { inTransaction } from '@gatehouse/kit/db/transaction';
import { unauthorized } from '@gatehouse/kit/fault';
import { codePoints, Form } from '@gatehouse/kit/form';
import type { Call } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { PASSWORD_MAX } from '../accounts/registration.ts';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { type SudoMethods, sudoRequired } from '../errors.ts';
import { useCode } from '../mfa/second-factor.ts';
import { provePasskey } from '../passkeys/prove-passkey.ts';
import { renewHash } from '../passwords/renew-hash.ts';
import { hasSamePassword } from '../store/accounts/account.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import { recordPasskeyUse } from '../store/mfa/webauthn-credentials.ts';
import { findSudoState, type SudoState } from '../store/sessions/sudo-grants.ts';

/** The proof members of every "+ sudo" request. */
export interface SudoProof {
  readonly password?: string | null | undefined;
  readonly mfa_code?: string | null | undefined;
  /** JSON of a passkey assertion. */
  readonly sudo_proof?: string | null | undefined;
}

/** The sudo state of a request. */
export interface Sudo {
  /** The verified proofs of the request. Empty if the session has a grant. */
  readonly proofs: readonly (keyof SudoProof)[];
  /** The state before the proofs were checked. */
  readonly standing: SudoState;
}

/**
 * Requires a proof, or a live grant of the caller's session (docs/credentials.md#sudo-mode). Every given proof must be
 * correct, even with a grant, and a code is used up. The transaction of the operation must check again with
 * `requireLiveSudo`.
 *
 * @throws SUDO_MODE_REQUIRED, or INVALID_FORM_BODY at each wrong proof
 */
export async function requireSudo(deps: Deps, proof: SudoProof, call: Call): Promise<Sudo> {
  const standing = await sudoStanding(deps, call.caller);
  const proofs = await checkProofs(deps, proof, standing, call);
  if (proofs.length === 0 && !standing.granted) throw proofRequired(standing);
  return { proofs, standing };
}

/** Requires a proof, even if the session has a grant. */
export async function requireProof(deps: Deps, proof: SudoProof, call: Call): Promise<Sudo> {
  const standing = await sudoStanding(deps, call.caller);
  const proofs = await checkProofs(deps, proof, standing, call);
  if (proofs.length === 0) throw proofRequired(standing);
  return { proofs, standing };
}

/** The caller's session, with its sudo state. */
export async function sudoStanding({ db }: Pick<Deps, 'db'>, caller: Caller): Promise<SudoState> {
  const { account_id, session_id } = requireSession(caller);
  const standing = await findSudoState(db, account_id, session_id);
  if (standing === undefined) throw unauthorized();
  return standing;
}

/** With a second factor, a password is no proof. A backup code is one for any factor. */
export function sudoMethods(standing: SudoState): SudoMethods & { has_mfa: boolean } {
  const has_mfa = standing.totp || standing.webauthn;
  return {
    has_mfa,
    password: !has_mfa,
    totp: standing.totp,
    webauthn: standing.webauthn,
  };
}

/**
 * Checks all given proofs and returns their kinds.
 *
 * @throws SUDO_MODE_REQUIRED for a password beside MFA
 */
async function checkProofs(
  deps: Deps,
  { password, mfa_code, sudo_proof }: SudoProof,
  standing: SudoState,
  call: Call,
): Promise<(keyof SudoProof)[]> {
  const { account_id } = standing;
  const { caller } = call;
  const form = new Form();
  const proofs: (keyof SudoProof)[] = [];

  if (password != null) {
    if (!sudoMethods(standing).password) throw proofRequired(standing);
    proofs.push('password');
    if (!(await passwordHolds(deps, password, standing, call)))
      form.fail('password', 'INVALID_PASSWORD', 'The password is wrong.');
  }
  if (mfa_code != null) {
    proofs.push('mfa_code');
    const offered = { account_id, code: mfa_code, caller };
    if ((await inTransaction(deps.db, (tx) => useCode(tx, deps, offered))) === undefined)
      form.fail('mfa_code', 'INVALID_MFA_CODE', 'The code is wrong or was used before.');
  }
  if (sudo_proof != null) {
    proofs.push('sudo_proof');
    const proven = await provePasskey(deps, { purpose: 'sudo', account_id, response: sudo_proof });
    if (proven === undefined || !(await recordPasskeyUse(deps.db, proven)))
      form.fail('sudo_proof', 'INVALID_SUDO_PROOF', 'The assertion does not hold or was used before.');
  }

  for (const { path } of form.violations) {
    const failed = { kind: 'sudo.failed', account_id, caller, detail: { proof: path } } as const;
    await insertSecurityEvent(deps.db, deps.ids(), failed);
  }
  form.check();
  return proofs;
}

/**
 * A text that is too long for a password is checked against the decoy hash, like at login. The next check sees a
 * password that changed, or a factor that was added, during the hashing.
 */
async function passwordHolds(
  deps: Deps,
  password: string,
  standing: SudoState,
  call: Call,
): Promise<boolean> {
  const password_hash = codePoints(password) > PASSWORD_MAX ? null : standing.password_hash;
  if (!(await deps.passwords.verify(password, password_hash, call)) || password_hash === null) return false;
  await renewHash(deps, { account_id: standing.account_id, password, password_hash }, call);
  const now = await sudoStanding(deps, call.caller);
  return hasSamePassword(now, standing) && sudoMethods(now).password;
}

/** The error for a missing proof. */
export function proofRequired(standing: SudoState): Error {
  const { has_mfa, ...methods } = sudoMethods(standing);
  return sudoRequired(has_mfa, methods);
}
