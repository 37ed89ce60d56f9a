import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { PutOverwriteRequest, PutOverwriteResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { noOverwritesHere } from '../../errors.ts';
import { changeGuild, guildOfChannel } from '../../guilds/change-guild.ts';
import { readOverwrite } from '../../overwrites/overwrite-form.ts';
import { setOverwrite } from '../../overwrites/set-overwrite.ts';

export function putOverwrite(deps: Deps): Handler<PutOverwriteRequest, PutOverwriteResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const { channel_id, overwrite_id: id } = request;
    const form = new Form();
    const set = readOverwrite(form, '', { ...request, id });
    form.check();
    const reason = readReason(request.reason);
    const guildId = await guildOfChannel(deps, channel_id, account_id, noOverwritesHere);
    await changeGuild(deps, guildId, account_id, (tx, actor) =>
      setOverwrite(tx, deps, actor, { channel_id, id, set }, reason),
    );
    return {};
  };
}
