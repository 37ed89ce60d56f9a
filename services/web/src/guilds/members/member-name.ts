import type { Member } from '@gatehouse/proto/chat';

/** The name under which a member is shown: the nick in the guild, else the display name, else the user name. */
export function memberName({ nick, user }: Pick<Member, 'nick' | 'user'>): string {
  return nick ?? user?.global_name ?? user?.username ?? '';
}
