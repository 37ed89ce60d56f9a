import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import { requireSession } from './caller.ts';
import type { Deps } from './deps.ts';
import type { SecurityEvent } from './security-event.ts';
import { insertSecurityEvent } from './store/security-events.ts';
import { endOtherSudoGrants } from './store/sudo-grants.ts';

/** A second factor that came or went. */
export interface FactorChange extends Pick<SecurityEvent, 'detail'> {
  readonly kind: 'mfa.totp_enabled' | 'mfa.totp_disabled' | 'mfa.passkey_added' | 'mfa.passkey_removed';
}

/**
 * What every change of second factors leads to, in its transaction, which holds them (`lockFactors`): what other
 * sessions proved by the factors of before ends.
 */
export async function afterFactorChange(
  tx: PoolClient,
  { ids }: Deps,
  change: FactorChange,
  caller: Caller,
): Promise<void> {
  const { account_id, session_id } = requireSession(caller);
  await endOtherSudoGrants(tx, account_id, session_id);
  await insertSecurityEvent(tx, ids(), { ...change, account_id, caller });
}
