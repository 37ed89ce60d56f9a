import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ListMessagesRequest, ListMessagesResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { missingPermissions } from '../errors.ts';
import { accessChannel } from '../guilds/access.ts';
import { holds, Permission } from '../guilds/permissions.ts';
import { accountsShown, viewMessage } from '../messages/message-view.ts';
import { readMessagesAfter, readMessagesBefore } from '../store/messages.ts';

const MAX_LIMIT = 100;
const DEFAULT_LIMIT = 50;

export function listMessages({
  db,
  records,
  users,
}: Deps): Handler<ListMessagesRequest, ListMessagesResponse> {
  return async ({ channel_id, before, after, limit: wanted }, call) => {
    const limit = wanted ?? DEFAULT_LIMIT;
    checkPage(limit, { before, after });
    const { permissions } = await accessChannel(db, channel_id, requireAccount(call.caller));
    if (!holds(permissions, Permission.READ_MESSAGE_HISTORY)) throw missingPermissions();

    const rows =
      after && !before
        ? await readMessagesAfter(records, channel_id, after, limit)
        : await readMessagesBefore(records, channel_id, before ?? undefined, limit);
    const shown = await users(rows.flatMap(accountsShown));
    return { messages: rows.map((row) => viewMessage(row, shown)) };
  };
}

function checkPage(limit: number, ids: Pick<ListMessagesRequest, 'before' | 'after'>): void {
  const form = new Form();
  if (limit < 1 || limit > MAX_LIMIT) {
    form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be an integer from 1 to ${MAX_LIMIT}.`);
  }
  for (const [path, id] of Object.entries(ids)) {
    if (id && !isSnowflake(id)) form.fail(path, 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
  }
  form.check();
}
