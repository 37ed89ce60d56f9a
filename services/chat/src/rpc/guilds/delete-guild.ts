import { requireAccount } from '@gatehouse/kit/caller';
import { OUTBOX_RETRY_MS } from '@gatehouse/kit/outbox';
import type { Handler } from '@gatehouse/kit/rpc';
import type { DeleteGuildRequest, DeleteGuildResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { missingPermissions } from '../../errors.ts';
import { guildDeleted } from '../../events/event.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { insertEvents } from '../../store/events/events.ts';
import { deleteGuildRow } from '../../store/guilds/guilds.ts';
import { queueIconRemoval } from '../../store/members/picture-changes.ts';

export function deleteGuild(deps: Deps): Handler<DeleteGuildRequest, DeleteGuildResponse> {
  return async ({ guild_id }, call) => {
    const account_id = requireAccount(call.caller);
    await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
      if (actor.owner_id !== account_id) throw missingPermissions();
      await queueIconRemoval(tx, guild_id, OUTBOX_RETRY_MS);
      await deleteGuildRow(tx, guild_id);
      await insertEvents(tx, [guildDeleted(guild_id)]);
    });
    deps.channelsDeleted();
    await deps.pictureChanges.send(guild_id);
    return {};
  };
}
