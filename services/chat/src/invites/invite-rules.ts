import { Form } from '@gatehouse/kit/form';
import type { CreateInviteRequest } from '@gatehouse/proto/chat';
import { readInteger } from '../form/fields.ts';

/** The limits of an invite; 0 for none. */
interface InviteRules {
  /** Seconds. */
  readonly max_age: number;
  readonly max_uses: number;
}

/** The fields of an invite in audit log entries. */
export const INVITE_AUDIT_KEYS = ['code', 'channel_id', 'max_uses', 'max_age'] as const;

export const MAX_INVITES = 1_000;
const MAX_AGE_SECONDS = 604_800;
const DEFAULT_AGE_SECONDS = 86_400;
const MAX_USES = 100;

/** @throws INVALID_FORM_BODY */
export function readInviteRules(request: Pick<CreateInviteRequest, 'max_age' | 'max_uses'>): InviteRules {
  const form = new Form();
  const rules = {
    max_age: readInteger(form, 'max_age', request.max_age ?? DEFAULT_AGE_SECONDS, 0, MAX_AGE_SECONDS),
    max_uses: readInteger(form, 'max_uses', request.max_uses ?? 0, 0, MAX_USES),
  };
  form.check();
  return rules;
}
