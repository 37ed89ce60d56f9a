import type { AdminGuild } from '@gatehouse/proto/chat-admin';
import type { AdminGuildRow } from '../store/guilds/admin-guilds.ts';

/** A guild as operators see it. */
export function adminGuildView(row: AdminGuildRow): AdminGuild {
  const { id, name, owner_id, member_count, disabled_at, disabled_by, disabled_reason } = row;
  const disablement = disabled_at && {
    at_ms: disabled_at.getTime(),
    operator: disabled_by ?? '',
    reason: disabled_reason ?? '',
  };
  return { id, name, owner_id, members: member_count, disablement };
}
