import { Permission } from '@gatehouse/chat-client/permissions';
import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { ListGuildBotsRequest, ListGuildBotsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { readId } from '../../form/fields.ts';
import { PAGE_LIMITS, readLimit } from '../../form/page-limits.ts';
import { accessGuild, requireGuildPermission } from '../../guilds/access.ts';
import { viewGuildBot } from '../../members/guild-bot-view.ts';
import { findGuildBots } from '../../store/members/guild-bots.ts';

/** Lower than any account's ID. */
const BEFORE_FIRST = '0';

export function listGuildBots({ db, users }: Deps): Handler<ListGuildBotsRequest, ListGuildBotsResponse> {
  return async (request, call) => {
    const form = new Form();
    const limit = readLimit(form, request.limit, PAGE_LIMITS.bots);
    const after = readId(form, 'after', request.after ?? BEFORE_FIRST);
    form.check();
    const membership = await accessGuild(db, request.guild_id, requireAccount(call.caller));
    requireGuildPermission(membership, Permission.MANAGE_GUILD);
    const rows = await findGuildBots(db, request.guild_id, after, limit);
    const shownUsers = await users(rows.flatMap(({ account_id, inviter_id }) => [account_id, inviter_id]));
    return { bots: rows.map((row) => viewGuildBot(row, membership, shownUsers)) };
  };
}
