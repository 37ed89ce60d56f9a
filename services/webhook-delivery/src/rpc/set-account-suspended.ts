import type { Handler } from '@gatehouse/kit/rpc';
import type {
  SetAccountSuspendedRequest,
  SetAccountSuspendedResponse,
} from '@gatehouse/proto/webhook-delivery';
import type { Deps } from '../deps.ts';
import { findGuildsOfCreator, storeSuspension } from '../store/suspended-accounts.ts';
import { requireId } from '../webhooks/credential.ts';
import { fenceGuilds, MAX_FENCED } from '../webhooks/fence-guilds.ts';

/** A repeated report is fenced again, because the call before may have ended in between. */
export function setAccountSuspended(
  deps: Deps,
): Handler<SetAccountSuspendedRequest, SetAccountSuspendedResponse> {
  return async (report, call) => {
    requireId('account_id', report.account_id);
    const fence = await storeSuspension(deps.db, report);
    if (fence === undefined) return {};
    let guildIds: string[];
    let after = '0';
    do {
      guildIds = await findGuildsOfCreator(deps.db, report.account_id, after, MAX_FENCED);
      await fenceGuilds(deps, guildIds, fence, call);
      after = guildIds.at(-1) ?? after;
    } while (guildIds.length === MAX_FENCED);
    return {};
  };
}
