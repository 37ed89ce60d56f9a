import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { InstallBotRequest, InstallBotResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import { addGroupRecipient } from '../../channels/add-group-recipient.ts';
import type { Deps } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { eventTransaction } from '../../events/event-transaction.ts';
import { readId, readText } from '../../form/fields.ts';
import { readPermissions } from '../../form/read-permissions.ts';
import { installBotInGuild, type NewBot } from '../../members/install-bot-in-guild.ts';
import { requireTimeToAnswer } from '../../require-time-to-answer.ts';

const MAX_ROLE_NAME = 100;
const ONE_OF_THE_TWO = 'Exactly one of guild_id and channel_id must be given.';

export function installBot(deps: Deps): Handler<InstallBotRequest, InstallBotResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const bot = readBot(request);
    const { guild_id, channel_id } = request;
    if (guild_id != null && channel_id != null) throw badRequest(ONE_OF_THE_TWO);
    if (guild_id != null) {
      return { added: true, role_id: await installBotInGuild(deps, guild_id, account_id, bot, call) };
    }
    if (channel_id != null) {
      const addition = { channel_id, account_id: bot.id, by_account_id: account_id };
      const added = await eventTransaction(deps, async (tx) => {
        const isNew = await addGroupRecipient(tx, deps, addition);
        requireTimeToAnswer(call);
        return isNew;
      });
      return { added };
    }
    throw badRequest(ONE_OF_THE_TWO);
  };
}

/** @throws INVALID_FORM_BODY */
function readBot(request: InstallBotRequest): NewBot {
  const form = new Form();
  const id = readId(form, 'bot_id', request.bot_id);
  const name = [...request.application_name.trim()].slice(0, MAX_ROLE_NAME).join('').trim();
  const role_name = readText(form, 'application_name', name, { min: 1 });
  const permissions = readPermissions(form, 'permissions', request.permissions ?? '0');
  form.check();
  return { id, role_name, permissions, reason: readReason(request.reason) };
}
