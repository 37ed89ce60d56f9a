import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { RegistrationResponseJSON } from '@simplewebauthn/server';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { invalidPasskey, tooManyPasskeys } from '../errors.ts';
import { requireLiveSession } from '../live-session.ts';
import { lockFactors } from '../store/factors.ts';
import { insertSecurityEvent } from '../store/security-events.ts';
import { consumeChallenge } from '../store/webauthn-challenges.ts';
import { insertPasskey, listPasskeys, type PasskeyRecord } from '../store/webauthn-credentials.ts';
import { tokenHash } from '../token.ts';
import type { Answer } from './read-response.ts';
import { MAX_PASSKEYS } from './registration-options.ts';
import { relyingParty } from './relying-party.ts';
import { verifyRegistration } from './verify-registration.ts';

/**
 * Adds the passkey that answers a challenge of this account; the challenge is used up whatever comes out.
 * @throws INVALID_FORM_BODY whatever is wrong with the answer; BAD_REQUEST with ten passkeys
 */
export async function addPasskey(
  deps: Deps,
  answer: Answer<RegistrationResponseJSON>,
  name: string,
  caller: Caller,
): Promise<PasskeyRecord> {
  const { db, ids, config } = deps;
  const { account_id } = requireSession(caller);
  const challenge_hash = tokenHash(answer.challenge);
  if (!(await consumeChallenge(db, { challenge_hash, purpose: 'register', account_id })))
    throw invalidPasskey();
  const passkey = await verifyRegistration(relyingParty(config.web_app_url), answer);
  if (passkey === undefined) throw invalidPasskey();

  return inTransaction(db, async (tx) => {
    await lockFactors(tx, account_id);
    await requireLiveSession(tx, caller);
    if ((await listPasskeys(tx, account_id)).length >= MAX_PASSKEYS) throw tooManyPasskeys(MAX_PASSKEYS);
    const added = await insertPasskey(tx, passkey, { account_id, name });
    if (added === undefined) throw invalidPasskey();
    const detail = { passkey: added.id };
    await insertSecurityEvent(tx, ids(), { kind: 'mfa.passkey_added', account_id, caller, detail });
    return added;
  });
}
