import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import { call } from '../api/call.ts';
import type { OfferedAction } from '../parts/action-menu.tsx';
import { countText } from '../text/numbers.ts';
import { type AccountDetails, knownPart } from './account-details.ts';
import { reachOf } from './reach.ts';

/** What operators can do about the account of a person. */
export function accountActions(
  { id, username, suspension }: AdminAccount,
  details: AccountDetails,
): OfferedAction[] {
  const counts = { sessions: details.sessions?.length ?? 0, grants: knownPart(details, 'grants')?.length };
  const post = (action: string) => (reason: string) =>
    call<{ pending?: string[] } | undefined>('POST', `/accounts/${id}/${action}`, { reason });
  const sessions = countText(counts.sessions);
  return [
    suspension
      ? restoring(username, post('restore'))
      : suspending(username, sessions, reachOf(details), post('suspend')),
    {
      name: 'account.end-sessions',
      label: 'End sessions',
      isSecondary: true,
      title: `End all sessions of ${username}?`,
      submit: 'End sessions',
      consequences: [
        `Its sessions (${sessions}) end now, and open Gateway connections close.`,
        'The owner can sign in again. Bot tokens and access tokens keep working.',
      ],
      done: `The sessions of ${username} are ended.`,
      act: post('end-sessions'),
    },
    {
      name: 'account.reset-factors',
      label: 'Reset factors',
      isSecondary: true,
      title: `Reset the second factors of ${username}?`,
      submit: 'Reset factors',
      consequences: [
        'The authenticator app, the backup codes and all passkeys are removed. The password stays.',
        'The owner gets a mail about it.',
      ],
      done: `The second factors of ${username} are removed.`,
      act: post('reset-factors'),
    },
    {
      name: 'account.revoke-grants',
      label: 'Revoke grants',
      isSecondary: true,
      title: `Revoke all grants of ${username}?`,
      submit: 'Revoke grants',
      consequences: [
        `All applications${counts.grants === undefined ? '' : ` (${countText(counts.grants)})`} lose access to the account, and have to ask again.`,
      ],
      done: `The grants of ${username} are revoked.`,
      act: post('revoke-grants'),
    },
  ];
}

function suspending(
  username: string,
  sessions: string,
  reach: string,
  act: OfferedAction['act'],
): OfferedAction {
  return {
    name: 'account.suspend',
    label: 'Suspend',
    title: `Suspend ${username}?`,
    submit: 'Suspend',
    consequences: [
      `Its sessions (${sessions}) end now, and open Gateway connections close.`,
      `It reaches ${reach}, including those of its bots.`,
      'Its bot tokens, access tokens and webhooks are refused at once, as are new logins.',
      'Nothing is deleted. A restored account signs in anew; its bots, tokens and webhooks work again.',
    ],
    done: `${username} is suspended.`,
    act,
  };
}

function restoring(username: string, act: OfferedAction['act']): OfferedAction {
  return {
    name: 'account.restore',
    label: 'Restore',
    kind: 'primary',
    title: `Restore ${username}?`,
    submit: 'Restore',
    consequences: [
      'The owner can sign in again; ended sessions stay ended.',
      'Bot tokens, access tokens and webhooks work again at once.',
    ],
    done: `${username} is restored.`,
    act,
  };
}
