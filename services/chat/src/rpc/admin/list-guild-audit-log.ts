import { Form } from '@gatehouse/kit/form';
import { readOperatorSearch } from '@gatehouse/kit/operator-form';
import type { Handler } from '@gatehouse/kit/rpc';
import { snowflakeTime } from '@gatehouse/kit/snowflake';
import type { ListGuildAuditLogRequest, ListGuildAuditLogResponse } from '@gatehouse/proto/chat-admin';
import { requireId } from '../../admin/require-id.ts';
import type { Deps } from '../../deps.ts';
import { noSuchGuild } from '../../errors.ts';
import { findAuditEntries } from '../../store/audit-log/audit-log.ts';
import { findAdminGuild } from '../../store/guilds/admin-guilds.ts';

export function listGuildAuditLog({
  db,
  prisma,
}: Deps): Handler<ListGuildAuditLogRequest, ListGuildAuditLogResponse> {
  return async ({ guild_id, before, limit }) => {
    requireId('guild_id', guild_id);
    const form = new Form();
    const page = readOperatorSearch(form, { before, limit });
    form.check();
    if ((await findAdminGuild(db, guild_id)) === undefined) throw noSuchGuild();
    const query = { before: page.before, limit: page.limit };
    const rows = await findAuditEntries(prisma, guild_id, {
      ...query,
      after: undefined,
      user_id: undefined,
      action_type: undefined,
    });
    return {
      entries: rows.map(({ id, action_type, user_id, target_id, reason }) => ({
        id,
        action_type,
        user_id,
        target_id,
        reason,
        at_ms: snowflakeTime(id),
      })),
    };
  };
}
