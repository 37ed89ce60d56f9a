import type { AccountGrant } from '@gatehouse/proto/oauth2-admin';
import { type AccountGrant as Grant, MAX_GRANTS } from '../store/account-grants.ts';

/** The first grants as shown to operators. */
export function accountGrants(grants: readonly Grant[]): AccountGrant[] {
  return grants
    .slice(0, MAX_GRANTS)
    .map(({ authorized_at, ...grant }) => ({ ...grant, authorized_at_ms: authorized_at.getTime() }));
}
