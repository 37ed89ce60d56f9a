import { Form } from '@gatehouse/kit/form';
import { type OperatorAction, readOperatorAction } from '@gatehouse/kit/operator-form';

/** The operator who changes something, and why. @throws INVALID_FORM_BODY */
export function requireOperatorAction(request: OperatorAction): OperatorAction {
  const form = new Form();
  const action = readOperatorAction(form, request);
  form.check();
  return action;
}
