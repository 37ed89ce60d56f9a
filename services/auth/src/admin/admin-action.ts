import { type OperatorAction, readOperatorAction } from '@gatehouse/kit/operator-form';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import { unknownUser } from '../errors.ts';

/** What an operator does to an account, and why. */
export interface AdminAction extends OperatorAction {
  readonly account_id: string;
}

/** Reads an action. Operator and reason are trimmed. @throws INVALID_FORM_BODY; UNKNOWN_USER if the ID is none */
export function readAdminAction(request: AdminAction): AdminAction {
  const action = readOperatorAction(request);
  return { account_id: requireAccountId(request), ...action };
}

/** @throws UNKNOWN_USER if it is no ID */
export function requireAccountId({ account_id }: { readonly account_id: string }): string {
  if (!isSnowflake(account_id)) throw unknownUser();
  return account_id;
}
