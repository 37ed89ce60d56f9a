import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ListMembersRequest, ListMembersResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { accessGuild } from '../guilds/access.ts';
import { viewMember } from '../members/member-view.ts';
import { readMembers } from '../store/member-profiles.ts';

const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;
/** No account has it. */
const FIRST = '0';

export function listMembers({ db, users }: Deps): Handler<ListMembersRequest, ListMembersResponse> {
  return async (request, call) => {
    const { guild_id } = request;
    const after = request.after ?? FIRST;
    const limit = request.limit ?? DEFAULT_LIMIT;
    checkPage(after, limit);
    await accessGuild(db, guild_id, requireAccount(call.caller));
    const rows = await readMembers(db, guild_id, after, limit);
    const shown = await users(rows.map(({ account_id }) => account_id));
    return { members: rows.map((row) => viewMember(row, shown)) };
  };
}

function checkPage(after: string, limit: number): void {
  const form = new Form();
  if (limit < 1 || limit > MAX_LIMIT) {
    form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be an integer from 1 to ${MAX_LIMIT}.`);
  }
  if (!isSnowflake(after)) form.fail('after', 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
  form.check();
}
