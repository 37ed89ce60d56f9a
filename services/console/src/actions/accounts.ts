import type { Deps } from '../deps.ts';
import type { ActionResult } from '../log/perform.ts';
import { ACTION_TIMEOUT, type Action, type ActionBy, readId } from './action.ts';

export const ACCOUNT_ACTIONS: readonly Action[] = [
  accountAction('account.suspend', 'suspend', 'support', async ({ clients }, by) => {
    const answer = await clients.auth.suspendAccount(by, ACTION_TIMEOUT);
    const { before, after, ended_sessions, pending } = answer;
    return { answer, before, after, detail: { ended_sessions, pending } };
  }),
  accountAction('account.restore', 'restore', 'support', async ({ clients }, by) => {
    const answer = await clients.auth.restoreAccount(by, ACTION_TIMEOUT);
    const { before, after, pending } = answer;
    return { answer, before, after, detail: { pending } };
  }),
  accountAction('account.end-sessions', 'end-sessions', 'support', async ({ clients }, by) => {
    const answer = await clients.auth.endAccountSessions(by, ACTION_TIMEOUT);
    const { ended_sessions } = answer;
    return { answer, before: { sessions: ended_sessions }, after: { sessions: 0 } };
  }),
  accountAction('account.reset-factors', 'reset-factors', 'support', async ({ clients }, by) => {
    const answer = await clients.auth.resetFactors(by, ACTION_TIMEOUT);
    return { answer, before: answer.before, after: { totp: false, backup_codes: 0, passkeys: [] } };
  }),
  accountAction('account.revoke-grants', 'revoke-grants', 'admin', async ({ clients }, by) => {
    const answer = await clients.oauth2.revokeAccountGrants(by, ACTION_TIMEOUT);
    return { answer, before: { grants: answer.revoked }, after: { grants: [] } };
  }),
];

/** An action about one account, at /api/accounts/:id/VERB. */
function accountAction(
  name: string,
  verb: string,
  role: Action['role'],
  run: (deps: Deps, by: ActionBy & { readonly account_id: string }) => Promise<ActionResult>,
): Action {
  return {
    name,
    role,
    method: 'POST',
    path: `/api/accounts/:id/${verb}`,
    reason: 'required',
    read: (form, request) => {
      const account_id = readId(form, request);
      return { target: `account:${account_id}`, run: (deps, by) => run(deps, { ...by, account_id }) };
    },
  };
}
