import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { requireSession } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { mailNotice, type Notice } from '../mail/notice-mail.ts';
import type { SecurityEvent } from '../store/events/security-event.ts';
import { insertSecurityEvent } from '../store/events/security-events.ts';
import { lockAddresseeById } from '../store/mail/mail-tokens.ts';
import { endOtherSudoGrants } from '../store/sessions/sudo-grants.ts';

/** A second factor that was added or removed. */
export interface FactorChange extends Pick<SecurityEvent, 'detail'> {
  readonly kind: 'mfa.totp_enabled' | 'mfa.totp_disabled' | 'mfa.passkey_added' | 'mfa.passkey_removed';
}

const APP = 'An authenticator app';
const PASSKEY = 'A passkey';
const NOTICES: Readonly<Record<FactorChange['kind'], Notice>> = {
  'mfa.totp_enabled': { template: 'factor-added', factor: APP },
  'mfa.totp_disabled': { template: 'factor-removed', factor: APP },
  'mfa.passkey_added': { template: 'factor-added', factor: PASSKEY },
  'mfa.passkey_removed': { template: 'factor-removed', factor: PASSKEY },
};

/**
 * Completes a change of second factors: ends the sudo grants of other sessions, adds to the audit log, and mails the
 * owner. The transaction must have locked the factors (`lockFactors`). Call `deps.mail.wake()` after the commit.
 */
export async function completeFactorChange(
  tx: PoolClient,
  deps: Deps,
  change: FactorChange,
  caller: Caller,
): Promise<void> {
  const { account_id, session_id } = requireSession(caller);
  await endOtherSudoGrants(tx, account_id, session_id);
  await insertSecurityEvent(tx, deps.ids(), { ...change, account_id, caller });
  const owner = await lockAddresseeById(tx, account_id);
  if (owner !== undefined) await mailNotice(tx, deps, owner, NOTICES[change.kind], caller);
}
