import { cancelled } from '@gatehouse/kit/fault';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { RemoveBotRequest, RemoveBotResponse } from '@gatehouse/proto/chat';
import { removeFromGroup } from '../../channels/remove-from-group.ts';
import type { Deps } from '../../deps.ts';
import { readId } from '../../form/fields.ts';
import { removeFromGuild } from '../../members/remove-from-guild.ts';
import { findGroupChannelIds, findGuildIds } from '../../store/members/joined-ids.ts';

/** Guilds or group DMs per statement. */
const PAGE = 100;

/** Leaves each guild and group DM in a transaction of its own, so an aborted call keeps its progress. */
export function removeBot(deps: Deps): Handler<RemoveBotRequest, RemoveBotResponse> {
  return async (request, { signal }) => {
    const form = new Form();
    const bot_id = readId(form, 'bot_id', request.bot_id);
    form.check();

    const leaveAll = async (list: typeof findGuildIds, leave: typeof removeFromGuild) => {
      let after = '0';
      let ids: string[];
      do {
        ids = await list(deps.db, bot_id, after, PAGE);
        for (const id of ids) {
          if (signal.aborted) throw cancelled();
          await leave(deps, id, bot_id);
          after = id;
        }
      } while (ids.length > 0);
    };
    await leaveAll(findGuildIds, removeFromGuild);
    await leaveAll(findGroupChannelIds, removeFromGroup);
    return {};
  };
}
