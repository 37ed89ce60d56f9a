/** The action types of audit log entries (docs/guilds.md#audit-log). */
export const AuditAction = {
  GUILD_UPDATE: 1,
  CHANNEL_CREATE: 10,
  CHANNEL_UPDATE: 11,
  CHANNEL_DELETE: 12,
  OVERWRITE_CREATE: 13,
  OVERWRITE_UPDATE: 14,
  OVERWRITE_DELETE: 15,
  MEMBER_KICK: 20,
  MEMBER_UPDATE: 24,
  MEMBER_ROLE_UPDATE: 25,
  BOT_ADD: 28,
  ROLE_CREATE: 30,
  ROLE_UPDATE: 31,
  ROLE_DELETE: 32,
  INVITE_CREATE: 40,
  INVITE_UPDATE: 41,
  INVITE_DELETE: 42,
  WEBHOOK_CREATE: 50,
  WEBHOOK_UPDATE: 51,
  WEBHOOK_DELETE: 52,
} as const;
export type AuditAction = (typeof AuditAction)[keyof typeof AuditAction];
