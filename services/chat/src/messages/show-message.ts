import type { User } from '@gatehouse/proto/auth';
import type { Message } from '@gatehouse/proto/chat';
import type { MessageRow } from '../store/messages.ts';
import type { Users } from '../users.ts';
import { accountsShown, viewMessage } from './message-view.ts';

/**
 * An edited message as clients see it, with the users that were read before. Only where another edit came between are
 * there further ones to read.
 */
export async function showEdited(
  users: Users,
  row: MessageRow,
  asked: ReadonlySet<string>,
  shown: ReadonlyMap<string, User>,
): Promise<Message> {
  const late = await users(accountsShown(row).filter((id) => !asked.has(id)));
  return viewMessage(row, new Map([...shown, ...late]));
}
