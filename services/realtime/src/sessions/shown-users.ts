import type { Users } from '@gatehouse/auth-client/users';
import type { User } from '@gatehouse/proto/auth';
import type { FollowedAccount } from '../world/world-state.ts';

/** The public users that READY and GUILD_CREATE show to an account. */
export interface ShownUsers {
  readonly requested: ReadonlySet<string>;
  /** The requested users that exist. */
  readonly found: ReadonlyMap<string, User>;
}

export async function fetchShownUsers(account: FollowedAccount, users: Users): Promise<ShownUsers> {
  const requested = new Set(accountsShownTo(account));
  return { requested, found: await users(requested) };
}

/** Whether all users that are shown now were requested. */
export function isComplete({ requested }: ShownUsers, account: FollowedAccount): boolean {
  return accountsShownTo(account).every((id) => requested.has(id));
}

function accountsShownTo(account: FollowedAccount): string[] {
  const ids = new Set<string>([account.id]);
  for (const { recipient_ids } of account.private_channels.values())
    for (const id of recipient_ids) ids.add(id);
  return [...ids];
}
