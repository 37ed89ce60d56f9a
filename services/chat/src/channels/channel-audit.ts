import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { changeAction } from '../audit-log/change-action.ts';
import { changesBetween } from '../audit-log/changes-between.ts';
import { AuditAction } from '../store/audit-log/audit-action.ts';
import type { AuditEntry } from '../store/audit-log/audit-log.ts';

const ACTIONS = [AuditAction.CHANNEL_CREATE, AuditAction.CHANNEL_UPDATE, AuditAction.CHANNEL_DELETE] as const;
/** Changed overwrites have entries of their own. A new or deleted channel's entry includes its overwrites. */
const CHANNEL_KEYS = ['name', 'type', 'topic', 'position', 'parent_id', 'rate_limit_per_user'] as const;
const KEYS_WITH_OVERWRITES = [...CHANNEL_KEYS, 'permission_overwrites'] as const;

/** The audit log entry for a created, changed or deleted guild channel; none if nothing differs. */
export function channelEntries(
  before: ChannelRow | undefined,
  after: ChannelRow | undefined,
  user_id: string,
  reason: string | null,
): AuditEntry[] {
  const channel = after ?? before;
  const changed = before !== undefined && after !== undefined;
  const changes = changesBetween(before, after, changed ? CHANNEL_KEYS : KEYS_WITH_OVERWRITES);
  if (channel?.guild_id == null || changes.length === 0) return [];
  const action_type = changeAction(before, after, ACTIONS);
  return [{ guild_id: channel.guild_id, action_type, user_id, target_id: channel.id, reason, changes }];
}
