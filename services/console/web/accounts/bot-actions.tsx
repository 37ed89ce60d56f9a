import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import { call } from '../api/call.ts';
import type { OfferedAction } from '../parts/action-menu.tsx';
import { type AccountDetails, knownPart } from './account-details.ts';
import { OwnerLink } from './owner-link.tsx';
import { countedPart, furtherText } from './reach.ts';

/** What operators can do about a bot. Its button does not stand out: most often, the owner is the one to suspend. */
export function botActions(account: AdminAccount, details: AccountDetails): OfferedAction[] {
  const { id, username, suspension } = account;
  const act = (action: string) => (reason: string) =>
    call<{ pending?: string[] } | undefined>('POST', `/accounts/${id}/${action}`, { reason });
  const about = aboutBot(account, details);
  if (suspension)
    return [
      {
        name: 'account.restore',
        label: 'Restore',
        kind: 'primary',
        title: `Restore the bot ${username}?`,
        submit: 'Restore',
        about,
        consequences: [
          account.owner_suspension
            ? 'Its owner is suspended: its token and its webhooks stay refused until the owner is restored.'
            : 'Its token and its webhooks work again at once.',
        ],
        done: `${username} is restored.`,
        act: act('restore'),
      },
    ];
  return [
    {
      name: 'account.suspend',
      label: 'Suspend',
      isSecondary: true,
      title: `Suspend the bot ${username}?`,
      submit: 'Suspend',
      about,
      consequences: [
        'Its token is refused at once, and its open Gateway connections close.',
        `Its webhooks are refused at once: ${countedPart(knownPart(details, 'webhooks'), 'webhook')}.`,
        'Its owner, and the other bots of the owner, keep working. So do the access tokens of its application.',
        'Nothing is deleted. Once it is restored, its token and its webhooks work again.',
      ],
      done: `${username} is suspended.`,
      act: act('suspend'),
    },
  ];
}

function aboutBot(account: AdminAccount, { owner_applications }: AccountDetails) {
  if (!account.owner_id) return 'This is a bot.';
  return (
    <>
      This is a bot of <OwnerLink account={account} />
      {owner_applications != null && <>, {furtherText(owner_applications)}</>}.
    </>
  );
}
