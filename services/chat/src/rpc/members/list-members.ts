import { viewMember } from '@gatehouse/chat-client/member-view';
import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListMembersRequest, ListMembersResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { readId, readInteger } from '../../form/fields.ts';
import { accessGuild } from '../../guilds/access.ts';
import { readMembers } from '../../store/members/member-profiles.ts';

const MAX_LIMIT = 1_000;
const DEFAULT_LIMIT = 100;
/** Lower than any account's ID. */
const FIRST = '0';

export function listMembers({ db, users }: Deps): Handler<ListMembersRequest, ListMembersResponse> {
  return async (request, call) => {
    const { guild_id } = request;
    const form = new Form();
    const limit = readInteger(form, 'limit', request.limit ?? DEFAULT_LIMIT, 1, MAX_LIMIT);
    const after = readId(form, 'after', request.after ?? FIRST);
    form.check();
    await accessGuild(db, guild_id, requireAccount(call.caller));
    const rows = await readMembers(db, guild_id, after, limit);
    const shown = await users(rows.map(({ account_id }) => account_id));
    return { members: rows.map((row) => viewMember(row, shown)) };
  };
}
