import type { Deps } from '../deps.ts';
import { recordPasskeyUse } from '../store/webauthn-credentials.ts';
import { provePasskey } from './prove-passkey.ts';

export interface Assertion {
  readonly purpose: 'sudo' | 'mfa';
  readonly account_id: string;
  /** AuthenticationResponseJSON. */
  readonly response: string;
}

/** Whether a passkey of the account answers a live challenge of that purpose; the challenge is used up. */
export async function checkAssertion(deps: Deps, assertion: Assertion): Promise<boolean> {
  const proven = await provePasskey(deps, assertion);
  return proven !== undefined && (await recordPasskeyUse(deps.db, proven));
}
