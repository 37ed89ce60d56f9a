import type { Membership } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { AuthorizeWebhooksRequest, AuthorizeWebhooksResponse } from '@gatehouse/proto/chat';
import { readReason } from '../../audit-log/reason.ts';
import type { Deps } from '../../deps.ts';
import { badRequest, forbidden, guildDisabled, notFound, noWebhooksHere } from '../../errors.ts';
import { mayManageWebhooks, mayManageWebhooksIn } from '../../guilds/webhook-permissions.ts';
import { ChannelType } from '../../store/channels/channels.ts';
import { findChannelAndMembership } from '../../store/members/members.ts';

/** Strangers get the same error as members without the permissions. */
export function authorizeWebhooks({
  db,
}: Deps): Handler<AuthorizeWebhooksRequest, AuthorizeWebhooksResponse> {
  return async ({ channel_id, destination_id, reason: header, changes }, call) => {
    const account_id = requireAccount(call.caller);
    const reason = readReason(header);
    const current = await guildChannel(db, channel_id, account_id);
    requirePermissions(current);
    const { guild_id } = current.membership;
    if (destination_id != null) {
      const destination = await guildChannel(db, destination_id, account_id);
      if (destination.membership.guild_id !== guild_id)
        throw badRequest('A webhook cannot move to another guild.');
      requirePermissions(destination);
    }
    if (changes && current.is_disabled) throw guildDisabled();
    return { guild_id, reason };
  };
}

interface GuildChannel {
  readonly channel: ChannelRow;
  readonly membership: Membership;
  readonly is_disabled: boolean;
}

/** @throws NOT_FOUND; BAD_REQUEST for a private channel */
async function guildChannel(db: Deps['db'], channelId: string, accountId: string): Promise<GuildChannel> {
  const found = await findChannelAndMembership(db, channelId, accountId);
  if (found === undefined) throw notFound('channel');
  const { channel, membership, is_disabled } = found;
  if (membership === undefined) throw noWebhooksHere();
  return { channel, membership, is_disabled };
}

/** @throws FORBIDDEN; BAD_REQUEST for a category */
function requirePermissions({ channel, membership }: GuildChannel): void {
  const { type, permission_overwrites } = channel;
  if (!mayManageWebhooks(membership) || !mayManageWebhooksIn(membership, permission_overwrites))
    throw forbidden();
  if (type === ChannelType.CATEGORY) throw noWebhooksHere();
}
