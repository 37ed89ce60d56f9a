import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListInvitesRequest, ListInvitesResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { accessChannel, requirePermission } from '../../guilds/access.ts';
import { viewInvite } from '../../invites/invite-view.ts';
import { findInvites } from '../../store/invites.ts';

export function listInvites({ db, users }: Deps): Handler<ListInvitesRequest, ListInvitesResponse> {
  return async ({ channel_id }, call) => {
    const { permissions } = await accessChannel(db, channel_id, requireAccount(call.caller));
    requirePermission(permissions, Permission.MANAGE_CHANNELS);
    const rows = await findInvites(db, channel_id);
    const shownUsers = await users(rows.map(({ inviter_id }) => inviter_id));
    return { invites: rows.map((row) => viewInvite(row, shownUsers)) };
  };
}
