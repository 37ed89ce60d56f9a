import { guildPermissions, holds, type Membership, Permission } from '@gatehouse/chat-client/permissions';
import type { PoolClient } from 'pg';
import { permissionsIn } from '../guilds/access.ts';
import { findChannel } from '../store/channels/channels.ts';
import type { InviteRow } from '../store/invites.ts';

/** Whether a member may delete an invite of its guild. */
export async function canDeleteInvite(
  tx: PoolClient,
  actor: Membership,
  invite: InviteRow,
): Promise<boolean> {
  if (invite.inviter_id === actor.account_id) return true;
  if (holds(guildPermissions(actor), Permission.MANAGE_GUILD)) return true;
  const channel = await findChannel(tx, invite.channel_id);
  if (channel === undefined) return false;
  return holds(permissionsIn(channel, actor, actor.account_id), Permission.MANAGE_CHANNELS);
}
