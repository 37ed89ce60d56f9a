import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { changesBetween } from '../audit-log/changes-between.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import type { AuditEntry } from '../store/audit-log/audit-log.ts';

/** Changed overwrites have entries of their own. A new or deleted channel's entry includes its overwrites. */
const KEYS = ['name', 'type', 'topic', 'position', 'parent_id', 'rate_limit_per_user'] as const;
const ALL_KEYS = [...KEYS, 'permission_overwrites'] as const;

/** The audit log entry for a created, changed or deleted channel; undefined without a difference. */
export function channelEntries(
  before: ChannelRow | undefined,
  after: ChannelRow | undefined,
  user_id: string,
  reason: string | null,
): AuditEntry[] {
  const channel = after ?? before;
  const changed = before !== undefined && after !== undefined;
  const changes = changesBetween(before, after, changed ? KEYS : ALL_KEYS);
  if (channel?.guild_id == null || changes.length === 0) return [];
  const action_type = changed
    ? AuditAction.CHANNEL_UPDATE
    : after === undefined
      ? AuditAction.CHANNEL_DELETE
      : AuditAction.CHANNEL_CREATE;
  return [{ guild_id: channel.guild_id, action_type, user_id, target_id: channel.id, reason, changes }];
}
