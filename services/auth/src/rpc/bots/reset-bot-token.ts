import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ResetBotTokenRequest, ResetBotTokenResponse } from '@gatehouse/proto/auth';
import { publicUser } from '../../accounts/account-view.ts';
import { requireSession } from '../../caller.ts';
import type { Deps } from '../../deps.ts';
import { notYourBot, unknownApplication } from '../../errors.ts';
import { newBotToken, tokenHash } from '../../sessions/token.ts';
import { lockAccount } from '../../store/accounts/accounts.ts';
import { findBotOwner, replaceBotToken } from '../../store/accounts/bots.ts';
import { insertSecurityEvent } from '../../store/events/security-events.ts';
import { requireLiveSudo } from '../../sudo/live-sudo.ts';
import { requireSudo } from '../../sudo/sudo.ts';

export function resetBotToken(deps: Deps): Handler<ResetBotTokenRequest, ResetBotTokenResponse> {
  const { db, prisma, ids } = deps;
  return async (request, call) => {
    const { application_id } = request;
    const { caller } = call;
    const { account_id } = requireSession(caller);
    // Before the proof, because checking a proof may use it up.
    const owner_id = isSnowflake(application_id) ? await findBotOwner(prisma, application_id) : undefined;
    if (owner_id === undefined) throw unknownApplication();
    if (owner_id !== account_id) throw notYourBot();
    const sudo = await requireSudo(deps, request, call);

    const token = newBotToken(application_id);
    const bot = await inTransaction(db, async (tx) => {
      await lockAccount(tx, account_id);
      await requireLiveSudo(tx, sudo, caller);
      const fresh = { application_id, owner_id, token_id: ids(), token_hash: tokenHash(token) };
      const replaced = await replaceBotToken(tx, fresh);
      if (replaced === undefined) throw unknownApplication();
      const detail = { application: application_id };
      await insertSecurityEvent(tx, ids(), { kind: 'bot_token.reset', account_id, caller, detail });
      return replaced;
    });
    return { token, bot: publicUser(bot) };
  };
}
