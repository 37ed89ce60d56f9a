import type { Handler } from '@gatehouse/kit/rpc';
import type { CreateBotRequest, CreateBotResponse } from '@gatehouse/proto/auth';
import { publicUser } from '../account-view.ts';
import { botUsername, spareBotUsername } from '../bot-username.ts';
import type { Deps } from '../deps.ts';
import { notYourBot, unauthorized } from '../errors.ts';
import { saveBot } from '../store/bots.ts';
import { newBotToken, tokenHash } from '../token.ts';

export function createBot({ db, ids }: Deps): Handler<CreateBotRequest, CreateBotResponse> {
  return async ({ application_id, name, owner_id }) => {
    const token = newBotToken(application_id);
    const bot = { application_id, name, owner_id, token_id: ids(), token_hash: tokenHash(token) };

    let saved = await saveBot(db, { ...bot, username: botUsername(name, application_id) });
    if (saved === 'username_taken') saved = await saveBot(db, { ...bot, username: spareBotUsername() });
    if (saved === 'owner_gone') throw unauthorized();
    if (typeof saved === 'string') throw notYourBot();
    return { bot: publicUser(saved), token };
  };
}
