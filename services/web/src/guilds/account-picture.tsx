import type { User } from '@gatehouse/proto/auth';
import { Avatar } from '../shared/ui/avatar.tsx';

/** The picture of an account whose name stands beside it. */
export function AccountPicture({ user }: { user: Pick<User, 'id' | 'username' | 'global_name' | 'avatar'> }) {
  return (
    <Avatar
      name={user.global_name ?? user.username}
      src={user.avatar ? `/media/avatars/${user.id}/${user.avatar}` : undefined}
    />
  );
}
