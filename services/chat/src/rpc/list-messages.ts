import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListMessagesRequest, ListMessagesResponse } from '@gatehouse/proto/chat';
import { accessChannel } from '../access.ts';
import { requireAccount } from '../caller.ts';
import type { Deps } from '../deps.ts';
import { missingPermissions } from '../errors.ts';
import { accountsShown, viewMessage } from '../message-view.ts';
import { holds, Permission } from '../permissions.ts';
import { readMessagesAfter, readMessagesBefore } from '../store/messages.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

export function listMessages({ db, users }: Deps): Handler<ListMessagesRequest, ListMessagesResponse> {
  return async ({ channel_id, before, after, limit: wanted }, call) => {
    const limit = readLimit(wanted ?? DEFAULT_LIMIT);
    const { permissions } = await accessChannel(db, channel_id, requireAccount(call.caller));
    if (!holds(permissions, Permission.READ_MESSAGE_HISTORY)) throw missingPermissions();

    const rows =
      after && !before
        ? await readMessagesAfter(db, channel_id, after, limit)
        : await readMessagesBefore(db, channel_id, before ?? undefined, limit);
    const shown = await users(rows.flatMap(accountsShown));
    return { messages: rows.map((row) => viewMessage(row, shown)) };
  };
}

function readLimit(limit: number): number {
  const form = new Form();
  if (limit < 1 || limit > MAX_LIMIT) {
    form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be an integer from 1 to ${MAX_LIMIT}.`);
  }
  form.check();
  return limit;
}
