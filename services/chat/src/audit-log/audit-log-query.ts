import { Form } from '@gatehouse/kit/form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ListAuditLogRequest } from '@gatehouse/proto/chat';

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
  const readId = (path: 'user_id' | 'before' | 'after') => {
    const id = request[path] ?? undefined;
    if (id !== undefined && !isSnowflake(id)) form.fail(path, 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
    return id;
  };
  const [user_id, before, after] = [readId('user_id'), readId('before'), readId('after')];
  const limit = request.limit ?? DEFAULT_LIMIT;
  if (limit < 1 || limit > MAX_LIMIT) {
    form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be an integer from 1 to ${MAX_LIMIT}.`);
  }
  form.check();
  return {
    user_id,
    action_type: request.action_type ?? undefined,
    before,
    after: before === undefined ? after : undefined,
    limit,
  };
}
