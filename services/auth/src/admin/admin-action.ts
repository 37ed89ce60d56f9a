import { Form } from '@gatehouse/kit/form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { failNul } from '../accounts/registration.ts';
import { unknownUser } from '../errors.ts';

/** What an operator does to an account, and why. */
export interface AdminAction {
  readonly account_id: string;
  readonly operator: string;
  readonly reason: string;
}

const OPERATOR_MAX = 64;
const REASON_MAX = 512;

/** Reads an action. Operator and reason are trimmed. @throws INVALID_FORM_BODY; UNKNOWN_USER if the ID is none */
export function readAdminAction(request: AdminAction): AdminAction {
  const form = new Form();
  const text = (path: 'operator' | 'reason', max: number) => {
    failNul(form, path, request[path]);
    return form.text(path, request[path], { min: 1, max, trim: true });
  };
  const operator = text('operator', OPERATOR_MAX);
  const reason = text('reason', REASON_MAX);
  form.check();
  return { account_id: requireAccountId(request), operator, reason };
}

/** @throws UNKNOWN_USER if it is no ID */
export function requireAccountId({ account_id }: { readonly account_id: string }): string {
  if (!isSnowflake(account_id)) throw unknownUser();
  return account_id;
}
