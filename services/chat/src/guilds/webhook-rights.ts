import {
  channelPermissions,
  guildPermissions,
  holds,
  type Membership,
  type Overwrite,
  Permission,
} from '@gatehouse/chat-client/permissions';

/** Who manages webhooks in a guild. For one that has a channel, `managesWebhooksIn` must hold too. */
export function managesWebhooks(membership: Membership): boolean {
  return holds(guildPermissions(membership), Permission.MANAGE_WEBHOOKS);
}

/** Whether the permissions in a channel suffice for its webhooks. */
export function managesWebhooksIn(membership: Membership, overwrites: readonly Overwrite[]): boolean {
  return holds(
    channelPermissions(membership, overwrites),
    Permission.VIEW_CHANNEL | Permission.MANAGE_WEBHOOKS,
  );
}
