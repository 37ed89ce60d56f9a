import { Form } from '@gatehouse/kit/form';
import type { OperatorAction } from '../store/disablements.ts';

const OPERATOR_MAX = 64;
const REASON_MAX = 512;

/** Reads who changes something, and why. @throws INVALID_FORM_BODY */
export function readOperatorAction({ operator, reason }: OperatorAction): OperatorAction {
  const form = new Form();
  const action = {
    operator: readText(form, 'operator', operator, OPERATOR_MAX),
    reason: readText(form, 'reason', reason, REASON_MAX),
  };
  form.check();
  return action;
}

function readText(form: Form, path: string, value: string, max: number): string {
  if (value.includes('\0')) form.fail(path, 'INVALID_FORMAT', 'Must not contain a NUL character.');
  return form.text(path, value, { min: 1, max, trim: true });
}
