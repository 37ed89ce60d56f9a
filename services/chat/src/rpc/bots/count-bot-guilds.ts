import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import type { CountBotGuildsRequest, CountBotGuildsResponse } from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { readId } from '../../form/fields.ts';
import { countJoinedGuilds } from '../../store/members/joined-ids.ts';

/** Bounds the work of a call: 10,000 index entries take a few milliseconds. */
const MAX_COUNTED = 10_000;

export function countBotGuilds({ db }: Deps): Handler<CountBotGuildsRequest, CountBotGuildsResponse> {
  return async (request) => {
    const form = new Form();
    const bot_id = readId(form, 'bot_id', request.bot_id);
    form.check();
    return { guilds: await countJoinedGuilds(db, bot_id, MAX_COUNTED) };
  };
}
