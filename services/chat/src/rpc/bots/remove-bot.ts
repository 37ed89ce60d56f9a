import { cancelled } from '@gatehouse/kit/fault';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveBotRequest, RemoveBotResponse } from '@gatehouse/proto/chat';
import { endRecipient } from '../../channels/end-recipient.ts';
import type { Deps } from '../../deps.ts';
import { readId } from '../../form/fields.ts';
import { endMember } from '../../members/end-member.ts';
import { listGroupChannelIds, listGuildIds } from '../../store/members/joined-ids.ts';

/** Guilds and group DMs that are read at once. */
const STEP = 100;

/** Each guild and group DM has its own transaction. An aborted call keeps its progress. */
export function removeBot(deps: Deps): Handler<RemoveBotRequest, RemoveBotResponse> {
  return async (request, { signal }) => {
    const form = new Form();
    const bot_id = readId(form, 'bot_id', request.bot_id);
    form.check();

    const leaveAll = async (list: typeof listGuildIds, leave: typeof endMember) => {
      let after = '0';
      for (let ids = await list(deps.db, bot_id, after, STEP); ids.length > 0; ) {
        for (const id of ids) {
          if (signal.aborted) throw cancelled();
          await leave(deps, id, bot_id);
          after = id;
        }
        ids = await list(deps.db, bot_id, after, STEP);
      }
    };
    await leaveAll(listGuildIds, endMember);
    await leaveAll(listGroupChannelIds, endRecipient);
    return {};
  };
}
