import { viewMember } from '@gatehouse/chat-client/member-view';
import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListMembersRequest, ListMembersResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { readId, readText } from '../../form/fields.ts';
import { PAGE_LIMITS, readLimit } from '../../form/page-limits.ts';
import { accessGuild } from '../../guilds/access.ts';
import { searchMembers } from '../../members/search-members.ts';
import { findMemberPage } from '../../store/members/member-profiles.ts';

/** Lower than any account's ID. */
const BEFORE_FIRST = '0';
const QUERY_LENGTH = { min: 1, max: 100, trim: true };

export function listMembers(deps: Deps): Handler<ListMembersRequest, ListMembersResponse> {
  const { db, users } = deps;
  return async (request, call) => {
    const { guild_id } = request;
    const form = new Form();
    const limit = readLimit(form, request.limit, PAGE_LIMITS.members);
    const after = readId(form, 'after', request.after ?? BEFORE_FIRST);
    const query = request.query == null ? undefined : readText(form, 'query', request.query, QUERY_LENGTH);
    form.check();
    await accessGuild(db, guild_id, requireAccount(call.caller));
    const rows = await (query === undefined
      ? findMemberPage(db, guild_id, after, limit)
      : searchMembers(deps, guild_id, { query, after, limit }, call.signal));
    const shownUsers = await users(rows.map(({ account_id }) => account_id));
    const members = rows.map((row) => viewMember(row, shownUsers));
    return request.as_json ? { members: [], json: Buffer.from(JSON.stringify(members)) } : { members };
  };
}
