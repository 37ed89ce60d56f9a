import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import { OUTBOX_RETRY_MS } from '@gatehouse/kit/outbox';
import type { Handler } from '@gatehouse/kit/rpc';
import { Uploads } from '@gatehouse/media-client/uploads';
import type { UpdateGuildRequest, UpdateGuildResponse } from '@gatehouse/proto/chat';
import type { Upload } from '@gatehouse/proto/media';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { notFound } from '../../errors.ts';
import { guildUpdated } from '../../events/event.ts';
import { accessGuild, requireGuildPermission } from '../../guilds/access.ts';
import { changeGuild } from '../../guilds/change-guild.ts';
import { changedGuild, guildChanges } from '../../guilds/guild-changes.ts';
import { readGuildName, readIcon } from '../../guilds/guild-form.ts';
import { readNewOwner, requireNewOwner } from '../../guilds/new-owner.ts';
import { AuditAction } from '../../store/audit-log/audit-action.ts';
import { insertAuditEntries } from '../../store/audit-log/audit-log.ts';
import { insertEvents } from '../../store/events/events.ts';
import { findGuild, updateGuildFields } from '../../store/guilds/guilds.ts';
import { queuePictureChange } from '../../store/members/picture-changes.ts';

export function updateGuild(deps: Deps): Handler<UpdateGuildRequest, UpdateGuildResponse> {
  return async ({ guild_id, ...request }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(request.reason);
    const name = request.name == null ? undefined : readGuildName(request.name);
    const owner_id = request.owner_id ?? undefined;
    // Checked before the picture is decoded, and again within the transaction.
    requireGuildPermission(await accessGuild(deps.db, guild_id, account_id), Permission.MANAGE_GUILD);
    const owner = owner_id === undefined ? undefined : await readNewOwner(deps.users, owner_id);
    const uploads = new Uploads(deps.media, call, { guild_id });
    let kept: Upload | null | undefined;
    try {
      const icon = await readIcon(uploads, request.icon);
      const guild = await changeGuild(deps, guild_id, account_id, async (tx, actor) => {
        requireGuildPermission(actor, Permission.MANAGE_GUILD);
        if (owner !== undefined) await requireNewOwner(tx, actor, owner);
        const before = await findGuild(tx, guild_id);
        if (before === undefined) throw notFound('guild');
        const after = changedGuild(before, { name, icon, owner_id });
        const changes = guildChanges(before, after);
        if (changes.length === 0) return before;

        await updateGuildFields(tx, after);
        if (icon !== undefined && after.icon !== before.icon) {
          kept = icon; // from here on the guild may use it
          const change = { owner_id: guild_id, slot: 'icon', hash: after.icon ?? null } as const;
          await queuePictureChange(tx, { ...change, upload_id: icon?.id ?? null }, OUTBOX_RETRY_MS);
        }
        await insertAuditEntries(tx, deps.ids, [
          {
            guild_id,
            action_type: AuditAction.GUILD_UPDATE,
            user_id: account_id,
            target_id: guild_id,
            reason,
            changes,
          },
        ]);
        const { roles: _, ...row } = after;
        await insertEvents(tx, [guildUpdated(row)]);
        return after;
      });
      if (kept !== undefined) await deps.pictureChanges.send(guild_id);
      return { guild };
    } finally {
      uploads.dropAllBut([kept]);
    }
  };
}
