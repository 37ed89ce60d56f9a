import { unauthorized } from '@gatehouse/kit/fault';
import { Form } from '@gatehouse/kit/form';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type { CreateBotRequest, CreateBotResponse } from '@gatehouse/proto/auth';
import { publicUser } from '../../accounts/account-view.ts';
import { botUsername, fallbackBotUsername } from '../../accounts/bot-username.ts';
import { failNul } from '../../accounts/registration.ts';
import type { Deps } from '../../deps.ts';
import { idTaken } from '../../errors.ts';
import { newBotToken, tokenHash } from '../../sessions/token.ts';
import { insertBot } from '../../store/accounts/bots.ts';

export function createBot({ db, ids }: Deps): Handler<CreateBotRequest, CreateBotResponse> {
  return async ({ application_id, name, owner_id }) => {
    const form = new Form();
    if (!isSnowflake(application_id))
      form.fail('application_id', 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
    if (!isSnowflake(owner_id)) form.fail('owner_id', 'INVALID_SNOWFLAKE_FORMAT', 'Must be an ID.');
    failNul(form, 'name', name);
    form.check();

    const token = newBotToken(application_id);
    const bot = { application_id, name, owner_id, token_id: ids(), token_hash: tokenHash(token) };

    let created = await insertBot(db, { ...bot, username: botUsername(name, application_id) });
    if (created === 'username_taken')
      created = await insertBot(db, { ...bot, username: fallbackBotUsername() });
    if (created === 'owner_gone') throw unauthorized();
    if (typeof created === 'string') throw idTaken();
    return { bot: publicUser(created), token };
  };
}
