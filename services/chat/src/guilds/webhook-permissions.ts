import {
  channelPermissions,
  guildPermissions,
  holds,
  type Membership,
  type Overwrite,
  Permission,
} from '@gatehouse/chat-client/permissions';

/** Whether a member may manage a guild's webhooks. For a webhook with a channel, `mayManageWebhooksIn` must hold too. */
export function mayManageWebhooks(membership: Membership): boolean {
  return holds(guildPermissions(membership), Permission.MANAGE_WEBHOOKS);
}

/** Whether the permissions in a channel allow managing its webhooks. */
export function mayManageWebhooksIn(membership: Membership, overwrites: readonly Overwrite[]): boolean {
  return holds(
    channelPermissions(membership, overwrites),
    Permission.VIEW_CHANNEL | Permission.MANAGE_WEBHOOKS,
  );
}
