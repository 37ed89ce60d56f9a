import type { Users } from '@gatehouse/auth-client/users';
import { accountsShown, viewMessage } from '@gatehouse/chat-client/message-view';
import type { MessageRow } from '@gatehouse/chat-client/rows';
import type { User } from '@gatehouse/proto/auth';
import type { Message } from '@gatehouse/proto/chat';

/**
 * An edited message as clients see it, with users that were read before. Only a concurrent edit requires reading more.
 */
export async function showEditedMessage(
  users: Users,
  row: MessageRow,
  asked: ReadonlySet<string>,
  shown: ReadonlyMap<string, User>,
): Promise<Message> {
  const late = await users(accountsShown(row).filter((id) => !asked.has(id)));
  return viewMessage(row, new Map([...shown, ...late]));
}
