import { cancelled } from '@gatehouse/kit/fault';
import { readOperatorAction } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { RevokeAccountGrantsRequest, RevokeAccountGrantsResponse } from '@gatehouse/proto/oauth2-admin';
import { accountGrants } from '../../authorization/account-grants.ts';
import type { Deps } from '../../deps.ts';
import { invalidId } from '../../errors.ts';
import { type AccountGrant, findAccountGrants } from '../../store/account-grants.ts';
import { revokeTokens } from '../../store/revoke-tokens.ts';

export function revokeAccountGrants({
  db,
}: Deps): Handler<RevokeAccountGrantsRequest, RevokeAccountGrantsResponse> {
  return async ({ account_id, ...request }, { signal }) => {
    readOperatorAction(request);
    if (!isSnowflake(account_id)) throw invalidId('account_id');
    const revoked = new Map<string, AccountGrant>();
    let grants = await findAccountGrants(db, account_id);
    // There may be more than were read, and a consent in progress may add an application, or one of them again.
    while (grants.length > 0) {
      if (signal.aborted) throw cancelled();
      const ids = grants.map(({ application_id }) => application_id);
      await revokeTokens(db, account_id, ids);
      for (const grant of grants.filter(({ application_id }) => !revoked.has(application_id)))
        revoked.set(grant.application_id, grant);
      grants = await findAccountGrants(db, account_id);
    }
    return { revoked: accountGrants([...revoked.values()]) };
  };
}
