import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ListSecurityEventsRequest } from '@gatehouse/proto/auth';
import { badRequest } from '../errors.ts';
import { readLimit } from '../read-limit.ts';
import { SECURITY_EVENT_KINDS, type SecurityEventKind } from '../store/events/security-event.ts';
import type { AuditLogQuery } from '../store/events/security-events.ts';

const PAGE_LIMIT = { fallback: 100, max: 1000 };
/** The latest time of ECMAScript, which PostgreSQL accepts too. */
const MAX_TIME_MS = 8.64e15;

/** @throws BAD_REQUEST */
export function readAuditLogQuery(request: ListSecurityEventsRequest): AuditLogQuery {
  const limit = readLimit(request.limit, PAGE_LIMIT);
  const since_ms = request.since_ms ?? null;
  if (since_ms !== null && since_ms > MAX_TIME_MS) throw badRequest('since_ms is not a time.');
  return {
    account_id: readId('account_id', request.account_id),
    kinds: readKinds(request.kind),
    since: since_ms === null ? null : new Date(since_ms),
    after: readId('after', request.after),
    before: readId('before', request.before),
    order: request.after == null ? 'newest first' : 'oldest first',
    limit,
  };
}

function readId(member: string, id: string | null | undefined): string | null {
  if (id == null) return null;
  if (!isSnowflake(id)) throw badRequest(`${member} is not an ID.`);
  return id;
}

/** A kind and its subkinds: "login" includes "login.failed". */
function readKinds(kind: string | null | undefined): SecurityEventKind[] | null {
  if (kind == null) return null;
  const kinds = SECURITY_EVENT_KINDS.filter((known) => known === kind || known.startsWith(`${kind}.`));
  if (kinds.length === 0)
    throw badRequest(`Unknown kind of event. The kinds are: ${SECURITY_EVENT_KINDS.join(', ')}.`);
  return kinds;
}
