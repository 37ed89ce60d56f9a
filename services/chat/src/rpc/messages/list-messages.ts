import { accountsShown, viewMessage } from '@gatehouse/chat-client/message-view';
import { holds, Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListMessagesRequest, ListMessagesResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { missingPermissions } from '../../errors.ts';
import { readId } from '../../form/fields.ts';
import { PAGE_LIMITS, readLimit } from '../../form/page-limits.ts';
import { accessChannel } from '../../guilds/access.ts';
import { findMessagePage, type MessagePage } from '../../store/messages/list-messages.ts';

/** An ID below those of all messages, and the highest possible ID. */
const BEFORE_OLDEST = '0';
const AFTER_NEWEST = '9223372036854775807';

export function listMessages({ db, users }: Deps): Handler<ListMessagesRequest, ListMessagesResponse> {
  return async (request, call) => {
    const page = readPage(request);
    const { permissions } = await accessChannel(db, request.channel_id, requireAccount(call.caller));
    if (!holds(permissions, Permission.READ_MESSAGE_HISTORY)) throw missingPermissions();

    const rows = await findMessagePage(db, page);
    const shownUsers = await users(rows.flatMap(accountsShown));
    const messages = rows.map((row) => viewMessage(row, shownUsers));
    return request.as_json ? { messages: [], json: Buffer.from(JSON.stringify(messages)) } : { messages };
  };
}

/**
 * Uses the first of around, before and after.
 *
 * @throws INVALID_FORM_BODY
 */
function readPage({ channel_id, around, before, after, limit: wanted }: ListMessagesRequest): MessagePage {
  const form = new Form();
  const limit = readLimit(form, wanted, PAGE_LIMITS.messages);
  for (const [path, id] of Object.entries({ around, before, after })) if (id) readId(form, path, id);
  form.check();

  if (around) {
    // The newer half includes the message itself. With an odd limit it is the longer one.
    const older = Math.floor(limit / 2);
    return { channel_id, before: around, older, after: String(BigInt(around) - 1n), newer: limit - older };
  }
  if (before || !after)
    return { channel_id, before: before || AFTER_NEWEST, older: limit, after: AFTER_NEWEST, newer: 0 };
  return { channel_id, before: BEFORE_OLDEST, older: 0, after, newer: limit };
}
