import type { SecurityEvent } from '@gatehouse/proto/auth';
import { printable, printableJson } from '../../output/printable.ts';

/** The length of the longest kind. */
const KIND_WIDTH = 24;
/** IDs have 19 digits from 2022 to 2084. */
const ID_WIDTH = 19;
const IP_WIDTH = 15;

/** An event as one line for people. */
export function auditLine({
  at_ms,
  kind,
  account_id,
  ip,
  session_id,
  detail,
  user_agent,
}: SecurityEvent): string {
  const more = [
    session_id == null ? '' : `session ${session_id}`,
    detail === '{}' ? '' : detail,
    user_agent == null ? '' : JSON.stringify(user_agent),
  ];
  const columns = [
    new Date(at_ms).toISOString(),
    kind.padEnd(KIND_WIDTH),
    (account_id ?? '-').padEnd(ID_WIDTH),
    (ip ?? '-').padEnd(IP_WIDTH),
    ...more.filter((text) => text !== ''),
  ];
  return printable(columns.join('  ').trimEnd());
}

/** An event as one line of JSON for scripts. */
export function auditJson({ at_ms, detail, ...event }: SecurityEvent): string {
  const { id, kind, account_id, ip, user_agent, session_id } = event;
  const at = new Date(at_ms).toISOString();
  return printableJson(
    JSON.stringify({ id, at, kind, account_id, ip, user_agent, session_id, detail: JSON.parse(detail) }),
  );
}
