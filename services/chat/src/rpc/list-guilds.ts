import { requireAccount } from '@gatehouse/kit/caller';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { ListGuildsRequest, ListGuildsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { listedGuild } from '../guilds/listed-guild.ts';
import { listGuildsOf } from '../store/guild-lists.ts';

const MAX = 200;

export function listGuilds({ db }: Deps): Handler<ListGuildsRequest, ListGuildsResponse> {
  return async (request, call) => {
    const account_id = requireAccount(call.caller);
    const form = new Form();
    const limit = request.limit ?? MAX;
    if (!Number.isInteger(limit) || limit < 1 || limit > MAX)
      form.fail('limit', 'VALUE_MUST_BE_INTEGER_IN_RANGE', `Must be an integer from 1 to ${MAX}.`);
    const before = readPlace(form, 'before', request.before);
    const after = readPlace(form, 'after', request.after);
    form.check();
    const rows = await listGuildsOf(db, account_id, { before, after, limit });
    return { guilds: rows.map((row) => listedGuild(row, account_id)) };
  };
}

function readPlace(form: Form, path: string, id: string | null | undefined): string | undefined {
  if (id != null && !isSnowflake(id)) form.fail(path, 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
  return id ?? undefined;
}
