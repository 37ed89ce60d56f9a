import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { Uploads } from '@gatehouse/media-client/uploads';
import type { UpdateBotRequest, UpdateBotResponse } from '@gatehouse/proto/auth';
import { publicUser } from '../../accounts/account-view.ts';
import type { Deps } from '../../deps.ts';
import { unknownApplication } from '../../errors.ts';
import { applyBotChanges } from '../../profile/apply-bot-changes.ts';
import { type BotChanges, botChangesOf, readBotForm } from '../../profile/bot-form.ts';
import { findBotOwner } from '../../store/accounts/bots.ts';

export function updateBot(deps: Deps): Handler<UpdateBotRequest, UpdateBotResponse> {
  return async (request, call) => {
    const { application_id, owner_id } = request;
    const owner = isSnowflake(application_id) ? await findBotOwner(deps.prisma, application_id) : undefined;
    if (owner === undefined || owner !== owner_id) throw unknownApplication();
    const uploads = new Uploads(deps.media, call, { sender: owner_id });
    let changes: BotChanges = {};
    try {
      const requested = await readBotForm(uploads, request);
      const before = await deps.batched.findAccount(application_id);
      if (before === undefined) throw unknownApplication();
      changes = botChangesOf(before, requested); // from here on, stored pictures may belong to the bot
      if (Object.keys(changes).length === 0) return { bot: publicUser(before) };
      return { bot: publicUser(await applyBotChanges(deps, before, changes)) };
    } finally {
      uploads.dropAllBut([changes.avatar]);
    }
  };
}
