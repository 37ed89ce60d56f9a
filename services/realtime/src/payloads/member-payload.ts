import { viewMember } from '@gatehouse/chat-client/member-view';
import type { MemberRow } from '@gatehouse/chat-client/rows';
import type { User } from '@gatehouse/proto/auth';
import { isObject, isStrings } from '../json-types.ts';
import { writeMember } from './texts.ts';

export function memberPayload(payload: unknown, users: ReadonlyMap<string, User>): string | undefined {
  if (!isViewableMember(payload)) return undefined;
  const { text, complete } = writeMember(viewMember(payload, users));
  return complete ? text : undefined;
}

/** Checks the members that the view needs. The writer checks the others. */
function isViewableMember(payload: unknown): payload is MemberRow {
  return isObject(payload) && typeof payload.account_id === 'string' && isStrings(payload.role_ids);
}
