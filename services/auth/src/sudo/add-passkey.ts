import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { BackupCode } from '@gatehouse/proto/auth';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { invalidPasskey, tooManyPasskeys } from '../errors.ts';
import { createFirstBackupCodes } from '../mfa/backup-codes.ts';
import { completeFactorChange } from '../mfa/complete-factor-change.ts';
import type { ParsedResponse } from '../passkeys/read-response.ts';
import { MAX_PASSKEYS } from '../passkeys/registration-options.ts';
import { relyingParty } from '../passkeys/relying-party.ts';
import { verifyRegistration } from '../passkeys/verify-registration.ts';
import { tokenHash } from '../sessions/token.ts';
import { lockFactors } from '../store/mfa/factors.ts';
import { consumeChallenge } from '../store/mfa/webauthn-challenges.ts';
import { insertPasskey, listPasskeys, type PasskeyRecord } from '../store/mfa/webauthn-credentials.ts';
import { requireLiveSudo } from './live-sudo.ts';
import type { Sudo } from './sudo.ts';

/** A new passkey and the sudo proof for adding it. */
export interface PasskeyRegistration {
  readonly parsed: ParsedResponse<RegistrationResponseJSON>;
  readonly name: string;
  readonly sudo: Sudo;
}

/** The passkey, and new backup codes if the account had none. */
export interface AddedPasskey {
  readonly passkey: PasskeyRecord;
  readonly backup_codes: BackupCode[];
}

/**
 * Verifies the response to a challenge of the caller's account and adds its passkey. The challenge is used up either
 * way.
 *
 * @throws INVALID_FORM_BODY if the response is invalid; BAD_REQUEST with ten passkeys
 */
export async function addPasskey(
  deps: Deps,
  { parsed, name, sudo }: PasskeyRegistration,
  caller: Caller,
): Promise<AddedPasskey> {
  const { db, config } = deps;
  const { account_id } = requireSession(caller);
  const challenge_hash = tokenHash(parsed.challenge);
  if (!(await consumeChallenge(db, { challenge_hash, purpose: 'register', account_id })))
    throw invalidPasskey();
  const passkey = await verifyRegistration(relyingParty(config.web_app_url), parsed);
  if (passkey === undefined) throw invalidPasskey();

  const added = await inTransaction(db, async (tx) => {
    await lockFactors(tx, account_id);
    await requireLiveSudo(tx, sudo, caller);
    if ((await listPasskeys(tx, account_id)).length >= MAX_PASSKEYS) throw tooManyPasskeys(MAX_PASSKEYS);
    const record = await insertPasskey(tx, passkey, { account_id, name });
    if (record === undefined) throw invalidPasskey();
    const detail = { passkey: record.id };
    await completeFactorChange(tx, deps, { kind: 'mfa.passkey_added', detail }, caller);
    return { passkey: record, backup_codes: await createFirstBackupCodes(tx, deps, account_id) };
  });
  deps.mail.wake();
  return added;
}
