import { internal } from '@gatehouse/kit/fault';
import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateBotRequest, UpdateBotResponse } from '@gatehouse/proto/oauth2';
import { requireOwnedApplication } from '../applications/require-application.ts';
import type { Deps } from '../deps.ts';

/** A picture may wait in media's queue. */
const UPDATE_BOT_TIMEOUT_MS = 12_000;

export function updateBot({ prisma, auth }: Deps): Handler<UpdateBotRequest, UpdateBotResponse> {
  return async ({ application_id, username, avatar }, call) => {
    const { owner_id } = await requireOwnedApplication(prisma, application_id, call);
    const { bot } = await auth.updateBot(
      { application_id, owner_id, username, avatar },
      { timeoutMs: UPDATE_BOT_TIMEOUT_MS, parent: call },
    );
    if (bot === null) throw internal(new Error('auth answered without a bot'));
    return { bot };
  };
}
