/** What an audit log entry is about (docs/guilds.md#audit-log). */
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

/** A member that was changed. One of the values is absent when there was none, or is none now. */
export interface AuditChange {
  readonly key: string;
  readonly old_value?: unknown;
  readonly new_value?: unknown;
}

export interface AuditEntry {
  readonly guild_id: string;
  readonly action_type: AuditAction;
  /** Who did it. */
  readonly user_id: string;
  readonly target_id?: string | null;
  readonly reason: string | null;
  readonly options?: object;
  readonly changes?: readonly AuditChange[];
}

/** The members of `keys` that differ: nothing stands for what is not there, as before a creation or after a deletion. */
export function changesBetween<T extends object>(
  before: T | undefined,
  after: T | undefined,
  keys: readonly (keyof T & string)[],
): AuditChange[] {
  return keys.flatMap((key) => {
    const old_value = before?.[key] ?? undefined;
    const new_value = after?.[key] ?? undefined;
    if (JSON.stringify(old_value) === JSON.stringify(new_value)) return [];
    return [
      { key, ...(old_value !== undefined && { old_value }), ...(new_value !== undefined && { new_value }) },
    ];
  });
}
