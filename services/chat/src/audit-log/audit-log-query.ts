import { Form } from '@gatehouse/kit/form';
import type { ListAuditLogRequest } from '@gatehouse/proto/chat';
import { readId } from '../form/fields.ts';
import { PAGE_LIMITS, readLimit } from '../form/page-limits.ts';
import type { AuditLogQuery } from '../store/audit-log/audit-log.ts';

/**
 * Reads the filters of a request (docs/guilds.md#audit-log).
 *
 * @throws INVALID_FORM_BODY
 */
export function readAuditLogQuery(request: ListAuditLogRequest): AuditLogQuery {
  const form = new Form();
  const user_id = readId(form, 'user_id', request.user_id);
  const before = readId(form, 'before', request.before);
  const after = readId(form, 'after', request.after);
  const limit = readLimit(form, request.limit, PAGE_LIMITS.audit_log);
  form.check();
  return {
    user_id,
    action_type: request.action_type ?? undefined,
    before,
    after: before === undefined ? after : undefined,
    limit,
  };
}
