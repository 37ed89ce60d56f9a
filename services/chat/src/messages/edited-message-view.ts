import type { Users } from '@gatehouse/auth-client/users';
import { accountsShown, viewMessage } from '@gatehouse/chat-client/message-view';
import type { MessageRow } from '@gatehouse/chat-client/rows';
import type { User } from '@gatehouse/proto/auth';
import type { Message } from '@gatehouse/proto/chat';

/**
 * An edited message as clients see it, with the `users` that were read for the `requested` IDs. It reads further users
 * only after a concurrent edit.
 */
export async function viewEditedMessage(
  readUsers: Users,
  row: MessageRow,
  requested: ReadonlySet<string>,
  users: ReadonlyMap<string, User>,
): Promise<Message> {
  const further = await readUsers(accountsShown(row).filter((id) => !requested.has(id)));
  return viewMessage(row, new Map([...users, ...further]));
}
