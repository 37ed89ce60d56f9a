import type { Handler } from '@gatehouse/kit/rpc';
import type { GetLoginWebauthnOptionsRequest, GetLoginWebauthnOptionsResponse } from '@gatehouse/proto/auth';
import type { Deps } from '../../deps.ts';
import { invalidTicket } from '../../errors.ts';
import { ticketAccount } from '../../mfa/mfa-ticket.ts';
import { assertionOptions } from '../../passkeys/assertion-options.ts';

export function getLoginWebauthnOptions(
  deps: Deps,
): Handler<GetLoginWebauthnOptionsRequest, GetLoginWebauthnOptionsResponse> {
  return async ({ ticket }) => {
    const account_id = await ticketAccount(deps.db, ticket);
    const options = account_id && (await assertionOptions(deps, 'mfa', account_id));
    if (options === undefined) throw invalidTicket();
    return { options };
  };
}
