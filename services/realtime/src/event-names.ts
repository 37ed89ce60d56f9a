/** The events of Dispatch (docs/gateway.md#events). */
export const EVENT_NAMES = [
  'READY',
  'RESUMED',
  'GUILD_CREATE',
  'GUILD_UPDATE',
  'GUILD_DELETE',
  'GUILD_ROLE_CREATE',
  'GUILD_ROLE_UPDATE',
  'GUILD_ROLE_DELETE',
  'GUILD_MEMBER_ADD',
  'GUILD_MEMBER_UPDATE',
  'GUILD_MEMBER_REMOVE',
  'CHANNEL_CREATE',
  'CHANNEL_UPDATE',
  'CHANNEL_DELETE',
  'CHANNEL_RECIPIENT_ADD',
  'CHANNEL_RECIPIENT_REMOVE',
  'MESSAGE_CREATE',
  'MESSAGE_UPDATE',
  'MESSAGE_DELETE',
  'WEBHOOKS_UPDATE',
  'INVITE_CREATE',
  'INVITE_DELETE',
  'USER_UPDATE',
] as const;
export type EventName = (typeof EVENT_NAMES)[number];

const NAMES: ReadonlySet<string> = new Set(EVENT_NAMES);

export function isEventName(name: string): name is EventName {
  return NAMES.has(name);
}
