import { accountsShown, viewMessage } from '@gatehouse/chat-client/message-view';
import { holds, Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import type { Handler } from '@gatehouse/kit/rpc';
import type { GetMessageRequest, GetMessageResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { missingPermissions, unknownMessage } from '../../errors.ts';
import { accessChannel } from '../../guilds/access.ts';
import { findMessage } from '../../store/messages/messages.ts';

export function getMessage({ db, prisma, users }: Deps): Handler<GetMessageRequest, GetMessageResponse> {
  return async ({ channel_id, message_id }, call) => {
    const { permissions } = await accessChannel(db, channel_id, requireAccount(call.caller));
    if (!holds(permissions, Permission.READ_MESSAGE_HISTORY)) throw missingPermissions();

    const row = await findMessage(prisma, channel_id, message_id);
    if (row === undefined) throw unknownMessage();
    return { message: viewMessage(row, await users(accountsShown(row))) };
  };
}
