import { viewMember } from '@gatehouse/chat-client/member-view';
import type { MemberRow } from '@gatehouse/chat-client/rows';
import type { User } from '@gatehouse/proto/auth';
import { isObject, isStrings } from './fields.ts';
import { writeMember } from './texts.ts';

/** The member as clients see it. */
export function memberPayload(payload: unknown, users: ReadonlyMap<string, User>): string | undefined {
  if (!isMember(payload)) return undefined;
  const { text, whole } = writeMember(viewMember(payload, users));
  return whole ? text : undefined;
}

/** Whether it can be viewed as a member. Its other members are judged when it is written. */
function isMember(payload: unknown): payload is MemberRow {
  return isObject(payload) && typeof payload.account_id === 'string' && isStrings(payload.role_ids);
}
