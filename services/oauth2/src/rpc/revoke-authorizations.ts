import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { RevokeAuthorizationsRequest, RevokeAuthorizationsResponse } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import { countApplications } from '../store/clients.ts';
import { revokeTokens } from '../store/revoke-tokens.ts';

/** The same as `max_items` in oauth2.proto. */
const MAX_IDS = 1_000;

export function revokeAuthorizations({
  db,
}: Deps): Handler<RevokeAuthorizationsRequest, RevokeAuthorizationsResponse> {
  return async ({ application_ids }, { caller }) => {
    const account_id = requireAccount(caller);
    const ids = readIds(application_ids);
    if ((await countApplications(db, ids)) < ids.length) throw unknownApplication();
    await revokeTokens(db, account_id, ids);
    return {};
  };
}

/** Returns unique IDs. @throws INVALID_FORM_BODY */
function readIds(application_ids: readonly string[]): string[] {
  const form = new Form();
  if (application_ids.length > MAX_IDS)
    form.fail('application_ids', 'INVALID_FORMAT', `There may be at most ${MAX_IDS} IDs.`);
  for (const [index, id] of application_ids.entries())
    if (!isSnowflake(id)) form.fail(`application_ids.${index}`, 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
  form.check();
  return [...new Set(application_ids)];
}
