import { userOrDeleted } from '@gatehouse/auth-client/users';
import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListAuditLogRequest, ListAuditLogResponse } from '@gatehouse/proto/chat';
import { readAuditLogQuery } from '../../audit-log/audit-log-query.ts';
import { accountsNamed, viewAuditEntry, webhooksNamed } from '../../audit-log/audit-log-view.ts';
import type { Deps } from '../../deps.ts';
import { accessGuild, requireGuildPermission } from '../../guilds/access.ts';
import { findAuditEntries } from '../../store/audit-log/audit-log.ts';
import { findWebhookSummaries } from '../../store/audit-log/webhook-summaries.ts';

export function listAuditLog({
  db,
  prisma,
  users,
}: Deps): Handler<ListAuditLogRequest, ListAuditLogResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const query = readAuditLogQuery(request);
    const membership = await accessGuild(db, request.guild_id, account_id);
    requireGuildPermission(membership, Permission.VIEW_AUDIT_LOG);

    const rows = await findAuditEntries(prisma, request.guild_id, query);
    const named = [...new Set(rows.flatMap(accountsNamed))];
    const shownUsers = await users(named);
    return {
      audit_log_entries: rows.map(viewAuditEntry),
      users: named.map((id) => userOrDeleted(shownUsers, id)),
      webhooks: await findWebhookSummaries(db, request.guild_id, webhooksNamed(rows)),
    };
  };
}
