import { inTransaction } from '@gatehouse/kit/db/transaction';
import { type Fault, unauthorized } from '@gatehouse/kit/fault';
import { codePoints, Form } from '@gatehouse/kit/form';
import type { Call } from '@gatehouse/kit/rpc';
import type { Caller } from '@gatehouse/proto/kit/calls';
import { PASSWORD_MAX } from '../accounts/registration.ts';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { type SudoMethods, sudoRequired } from '../errors.ts';
import { useCode } from '../mfa/use-code.ts';
import { provePasskey } from '../passkeys/prove-passkey.ts';
import { renewHash } from '../passwords/renew-hash.ts';
import { hasSamePassword } from '../store/accounts/account.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import { recordPasskeyUse } from '../store/mfa/webauthn-credentials.ts';
import { findSudoState, type SudoState } from '../store/sessions/sudo-grants.ts';

/** The proof members of every request that needs sudo mode. */
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
  readonly state: SudoState;
}

/**
 * Requires a proof, or a live grant of the caller's session (docs/credentials.md#sudo-mode). Every given proof must be
 * correct, even with a grant, and a code is used up. The transaction of the operation must check again with
 * `requireLiveSudo`.
 *
 * @throws SUDO_MODE_REQUIRED, or INVALID_FORM_BODY at each wrong proof
 */
export async function requireSudo(deps: Deps, proof: SudoProof, call: Call): Promise<Sudo> {
  const sudo = await checkProofs(deps, proof, call);
  if (sudo.proofs.length === 0 && !sudo.state.granted) throw missingProof(sudo.state);
  return sudo;
}

/** Requires a proof, even if the session has a grant. */
export async function requireProof(deps: Deps, proof: SudoProof, call: Call): Promise<Sudo> {
  const sudo = await checkProofs(deps, proof, call);
  if (sudo.proofs.length === 0) throw missingProof(sudo.state);
  return sudo;
}

/** The sudo state of the caller's session. @throws UNAUTHORIZED if it has ended */
export async function requireSudoState({ db }: Pick<Deps, 'db'>, caller: Caller): Promise<SudoState> {
  const { account_id, session_id } = requireSession(caller);
  const state = await findSudoState(db, account_id, session_id);
  if (state === undefined) throw unauthorized();
  return state;
}

/** With a second factor, a password is no proof. A backup code is a proof, whichever factors the account has. */
export function sudoMethods(state: SudoState): SudoMethods & { has_mfa: boolean } {
  const has_mfa = state.totp || state.webauthn;
  return {
    has_mfa,
    password: !has_mfa,
    totp: state.totp,
    webauthn: state.webauthn,
  };
}

/** @throws SUDO_MODE_REQUIRED for a password beside MFA, INVALID_FORM_BODY at each wrong proof */
async function checkProofs(
  deps: Deps,
  { password, mfa_code, sudo_proof }: SudoProof,
  call: Call,
): Promise<Sudo> {
  const { caller } = call;
  const state = await requireSudoState(deps, caller);
  const { account_id } = state;
  const form = new Form();
  const proofs: (keyof SudoProof)[] = [];

  if (password != null) {
    if (!sudoMethods(state).password) throw missingProof(state);
    proofs.push('password');
    if (!(await passwordMatches(deps, password, state, call)))
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
  return { proofs, state };
}

/**
 * Verifies a password. A text that is too long for one is verified against the decoy hash, as in a login. The state is then
 * read again: during the hashing, the password may have changed, or a factor may have been added.
 */
async function passwordMatches(deps: Deps, password: string, state: SudoState, call: Call): Promise<boolean> {
  const password_hash = codePoints(password) > PASSWORD_MAX ? null : state.password_hash;
  if (!(await deps.passwords.verify(password, password_hash, call)) || password_hash === null) return false;
  await renewHash(deps, { account_id: state.account_id, password, password_hash }, call);
  const now = await requireSudoState(deps, call.caller);
  return hasSamePassword(now, state) && sudoMethods(now).password;
}

/** The error for a missing proof, with the kinds that the account can give. */
export function missingProof(state: SudoState): Fault {
  const { has_mfa, ...methods } = sudoMethods(state);
  return sudoRequired(has_mfa, methods);
}
