import { ACCOUNT_ACTIONS } from './accounts.ts';
import type { Action } from './action.ts';
import { JOB_ACTIONS } from './jobs.ts';
import { LIMIT_ACTIONS } from './limits.ts';
import { OPERATOR_ACTIONS } from './operators.ts';
import { SWITCH_ACTIONS } from './switches.ts';

/** Everything that operators can do through the console. Each leaves one line in the operators' log. */
export const ACTIONS: readonly Action[] = [
  ...ACCOUNT_ACTIONS,
  ...SWITCH_ACTIONS,
  ...LIMIT_ACTIONS,
  ...JOB_ACTIONS,
  ...OPERATOR_ACTIONS,
];
