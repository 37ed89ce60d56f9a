import { isUniqueViolation } from '@gatehouse/kit/db/errors';
import { DatabaseError, type Pool } from 'pg';
import { nameKey } from '../registration.ts';
import { ACCOUNT_COLUMNS, type Account } from './account.ts';

/** A bot and its token, to be made or, when the owner repeats it, to be given a new token. */
export interface NewBot {
  readonly application_id: string;
  readonly username: string;
  readonly name: string;
  readonly owner_id: string;
  readonly token_id: string;
  /** SHA-256 of the token, hex. */
  readonly token_hash: string;
}

/** Why a bot cannot be saved; `id_taken`: by another owner's bot or by a person. */
export type BotConflict = 'username_taken' | 'id_taken' | 'owner_gone';

/** Makes the bot's account and token, or replaces the token of the one that is there. */
export async function saveBot(db: Pool, bot: NewBot): Promise<Account | BotConflict> {
  try {
    const { rows } = await db.query<Account>({
      name: 'save_bot',
      text: `WITH account AS (
               INSERT INTO accounts (id, username, username_key, global_name, bot)
               VALUES ($1, $2, $3, $4, true)
               ON CONFLICT (id) DO UPDATE SET id = excluded.id WHERE accounts.bot
               RETURNING ${ACCOUNT_COLUMNS}
             ), token AS (
               INSERT INTO bot_tokens (application_id, id, owner_id, token_hash)
               SELECT account.id, $5::bigint, $6::bigint, decode($7, 'hex') FROM account
               ON CONFLICT (application_id) DO UPDATE
                 SET id = excluded.id, token_hash = excluded.token_hash, created_at = now()
                 WHERE bot_tokens.owner_id = excluded.owner_id
               RETURNING application_id
             )
             SELECT account.* FROM account JOIN token ON token.application_id = account.id`,
      values: [
        bot.application_id,
        bot.username,
        nameKey(bot.username),
        bot.name,
        bot.token_id,
        bot.owner_id,
        bot.token_hash,
      ],
    });
    return rows[0] ?? 'id_taken';
  } catch (error) {
    if (isUniqueViolation(error, 'accounts_username_unique')) return 'username_taken';
    if (error instanceof DatabaseError && error.constraint === 'bot_tokens_owner_id_fkey')
      return 'owner_gone';
    throw error;
  }
}
