import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { AuthorizeWebhooksRequest, AuthorizeWebhooksResponse } from '@gatehouse/proto/chat';
import { readReason } from '../audit-log/reason.ts';
import type { Deps } from '../deps.ts';
import { badRequest, forbidden, notFound, noWebhooksHere } from '../errors.ts';
import type { Membership } from '../guilds/permissions.ts';
import { managesWebhooks, managesWebhooksIn } from '../guilds/webhook-rights.ts';
import { type ChannelRow, ChannelType, readChannel } from '../store/channels.ts';
import { readMembership } from '../store/members.ts';

/** Non-members and members without the permissions get the same answer. */
export function authorizeWebhooks({
  db,
}: Deps): Handler<AuthorizeWebhooksRequest, AuthorizeWebhooksResponse> {
  return async ({ channel_id, destination_id, reason: header }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(header);
    const { channel, guild_id } = await guildChannel(db, channel_id);
    const membership = await readMembership(db, guild_id, account_id);
    if (membership === undefined) throw notFound('channel');
    requireRights(membership, channel);

    if (destination_id != null) {
      const destination = await guildChannel(db, destination_id);
      if (destination.guild_id !== guild_id) throw badRequest('A webhook cannot move to another guild.');
      requireRights(membership, destination.channel);
    }
    return { guild_id, reason };
  };
}

/** @throws NOT_FOUND; BAD_REQUEST for a private channel */
async function guildChannel(db: Deps['db'], id: string): Promise<{ channel: ChannelRow; guild_id: string }> {
  const channel = isSnowflake(id) ? await readChannel(db, id) : undefined;
  if (channel === undefined) throw notFound('channel');
  if (channel.guild_id == null) throw noWebhooksHere();
  return { channel, guild_id: channel.guild_id };
}

/** @throws FORBIDDEN; BAD_REQUEST for a category */
function requireRights(membership: Membership, { type, permission_overwrites }: ChannelRow): void {
  if (!managesWebhooks(membership) || !managesWebhooksIn(membership, permission_overwrites))
    throw forbidden();
  if (type === ChannelType.CATEGORY) throw noWebhooksHere();
}
