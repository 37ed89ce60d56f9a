import type { AdminAccount } from '@gatehouse/proto/auth-admin';
import { IdLink } from '../parts/id-link.tsx';

/** A link to the owner of a bot, by name if it is known. */
export function OwnerLink({ account }: { account: AdminAccount | null | undefined }) {
  const name = account?.owner_username;
  return (
    <IdLink kind="account" id={account?.owner_id}>
      {name && <bdi>{name}</bdi>}
    </IdLink>
  );
}
