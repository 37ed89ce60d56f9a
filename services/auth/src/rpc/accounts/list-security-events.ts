import type { Handler } from '@gatehouse/kit/rpc';
import type { ListSecurityEventsRequest, ListSecurityEventsResponse } from '@gatehouse/proto/auth';
import { securityEvent } from '../../admin/admin-views.ts';
import { readAuditLogQuery } from '../../audit-log/audit-log-query.ts';
import type { Deps } from '../../deps.ts';
import { findSecurityEvents } from '../../store/events/security-events.ts';

export function listSecurityEvents({
  db,
}: Deps): Handler<ListSecurityEventsRequest, ListSecurityEventsResponse> {
  return async (request) => {
    const events = await findSecurityEvents(db, readAuditLogQuery(request));
    return { events: events.map(securityEvent) };
  };
}
