import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteOverwriteRequest, DeleteOverwriteResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { noOverwritesHere } from '../../errors.ts';
import { changeGuild, guildOfChannel } from '../../guilds/change-guild.ts';
import { setOverwrite } from '../../overwrites/set-overwrite.ts';

export function deleteOverwrite(deps: Deps): Handler<DeleteOverwriteRequest, DeleteOverwriteResponse> {
  return async ({ channel_id, overwrite_id: id, reason: header }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(header);
    const guildId = await guildOfChannel(deps, channel_id, account_id, noOverwritesHere);
    await changeGuild(deps, guildId, account_id, (tx, actor) =>
      setOverwrite(tx, deps, actor, { channel_id, id }, reason),
    );
    return {};
  };
}
