import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import { Badge } from '@gatehouse/web/shared/ui/badge.tsx';

/** In words: suspended, refused with its owner or active; then whether it is a bot, or not verified. */
export function AccountState({ account }: { account: AdminAccount }) {
  return (
    <span class="badges">
      {account.suspension && <Badge kind="danger">suspended</Badge>}
      {account.owner_suspension && <Badge kind="warning">owner suspended</Badge>}
      {!account.suspension && !account.owner_suspension && <Badge>active</Badge>}
      {account.bot && <Badge kind="neutral">bot</Badge>}
      {!account.verified && !account.bot && <Badge kind="warning">not verified</Badge>}
    </span>
  );
}
