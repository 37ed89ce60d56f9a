import { Form } from '@gatehouse/kit/form';
import type { ListAuditLogRequest } from '@gatehouse/proto/chat';
import { readId, readInteger } from '../form/fields.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

/** A page of a guild's audit log. */
export interface AuditLogQuery {
  /** Who made the change. */
  readonly user_id: string | undefined;
  readonly action_type: number | undefined;
  /** Only entries before this one, or else the nearest after that one. */
  readonly before: string | undefined;
  readonly after: string | undefined;
  readonly limit: number;
}

/** What a client asks for (docs/guilds.md#audit-log). @throws INVALID_FORM_BODY */
export function readAuditLogQuery(request: ListAuditLogRequest): AuditLogQuery {
  const form = new Form();
  const user_id = readId(form, 'user_id', request.user_id);
  const before = readId(form, 'before', request.before);
  const after = readId(form, 'after', request.after);
  const limit = readInteger(form, 'limit', request.limit ?? DEFAULT_LIMIT, 1, MAX_LIMIT);
  form.check();
  return {
    user_id,
    action_type: request.action_type ?? undefined,
    before,
    after: before === undefined ? after : undefined,
    limit,
  };
}
