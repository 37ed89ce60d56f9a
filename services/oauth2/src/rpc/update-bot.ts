import type { Handler } from '@gatehouse/kit/rpc';
import type { UpdateBotRequest, UpdateBotResponse } from '@gatehouse/proto/oauth2';
import { changeBot } from '../applications/bots.ts';
import { requireOwned } from '../applications/require-owned.ts';
import type { Deps } from '../deps.ts';

export function updateBot({ prisma, auth }: Deps): Handler<UpdateBotRequest, UpdateBotResponse> {
  return async ({ application_id, username, avatar }, call) => {
    const { owner_id } = await requireOwned(prisma, application_id, call);
    return { bot: await changeBot(auth, { application_id, owner_id, username, avatar }, call) };
  };
}
