import { isUniqueViolation } from '@gatehouse/kit/db/errors';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from '../prisma.ts';
import { ACCOUNT_COLUMNS, type Account } from './account.ts';
import { findAccounts } from './accounts.ts';
import { queuePictureRemovals } from './picture-changes.ts';
import { uniqueKey } from './unique-keys.ts';

/** A new bot and its token. */
export interface NewBot {
  readonly application_id: string;
  readonly username: string;
  readonly name: string;
  readonly owner_id: string;
  readonly token_id: string;
  /** SHA-256 of the token, hex. */
  readonly token_hash: string;
}

/**
 * Why a bot cannot be created. `id_taken`: an account of a bot or a person has the ID. `owner_gone`: the owner is deleted
 * or suspended.
 */
export type BotConflict = 'username_taken' | 'id_taken' | 'owner_gone';

/**
 * Inserts the bot's account and token. The lock on the owner's row makes a concurrent suspension either refuse the bot or
 * see it.
 */
export async function insertBot(db: Pool, bot: NewBot): Promise<Account | BotConflict> {
  try {
    const { rows } = await db.query<Account>({
      name: 'insert_bot',
      text: `WITH owner AS MATERIALIZED (
               SELECT id FROM accounts WHERE id = $6 AND suspended_at IS NULL FOR NO KEY UPDATE
             ), account AS (
               INSERT INTO accounts (id, username, username_key, global_name, bot)
               SELECT $1::bigint, $2::text, $3::text, $4::text, true FROM owner
               ON CONFLICT (id) DO NOTHING
               RETURNING ${ACCOUNT_COLUMNS}
             ), token AS (
               INSERT INTO bot_tokens (application_id, id, owner_id, token_hash)
               SELECT account.id, $5::bigint, owner.id, decode($7, 'hex') FROM account, owner
               RETURNING application_id
             )
             SELECT account.* FROM account JOIN token ON token.application_id = account.id`,
      values: [
        bot.application_id,
        bot.username,
        uniqueKey(bot.username),
        bot.name,
        bot.token_id,
        bot.owner_id,
        bot.token_hash,
      ],
    });
    if (rows[0] !== undefined) return rows[0];
    const [owner] = await findAccounts(db, [bot.owner_id]);
    return owner === undefined || owner.suspended ? 'owner_gone' : 'id_taken';
  } catch (error) {
    if (isUniqueViolation(error, 'accounts_username_unique')) return 'username_taken';
    throw error;
  }
}

/** Deletes a bot if it belongs to this owner, and queues the removal of its pictures. */
export function deleteBotAccount(db: Pool, application_id: string, owner_id: string): Promise<void> {
  return inTransaction(db, async (tx) => {
    const { rowCount } = await tx.query({
      name: 'lock_bot',
      text: `SELECT FROM accounts JOIN bot_tokens ON application_id = accounts.id
              WHERE accounts.id = $1 AND owner_id = $2 FOR UPDATE OF accounts`,
      values: [application_id, owner_id],
    });
    if (rowCount === 0) return;
    await queuePictureRemovals(tx, [application_id]);
    await tx.query({
      name: 'delete_bot',
      text: 'DELETE FROM accounts WHERE id = $1',
      values: [application_id],
    });
  });
}

/** The owner of a bot that has a token. */
export async function findBotOwner(
  prisma: PrismaClient,
  application_id: string,
): Promise<string | undefined> {
  const found = await prisma.botToken.findUnique({
    where: { application_id: BigInt(application_id) },
    select: { owner_id: true },
  });
  return found?.owner_id.toString();
}

/** A new token for a bot of this owner. */
export type NewBotToken = Pick<NewBot, 'application_id' | 'owner_id' | 'token_id' | 'token_hash'>;

/** Replaces the token and returns the bot, or undefined if the owner has no such bot. */
export async function replaceBotToken(tx: PoolClient, token: NewBotToken): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>({
    name: 'replace_bot_token',
    text: `WITH token AS (
             UPDATE bot_tokens SET id = $3, token_hash = decode($4, 'hex'), created_at = now()
              WHERE application_id = $1 AND owner_id = $2
             RETURNING application_id
           )
           SELECT ${ACCOUNT_COLUMNS} FROM accounts WHERE id = (SELECT application_id FROM token)`,
    values: [token.application_id, token.owner_id, token.token_id, token.token_hash],
  });
  return rows[0];
}

/**
 * Gives the tokens of bots new IDs, in a transaction that makes Identify refuse them and has locked the bots. The event
 * log says that the old ones have ended.
 */
export async function endBotCredentials(
  tx: PoolClient,
  bots: readonly { readonly application_id: string; readonly token_id: string }[],
): Promise<void> {
  await tx.query({
    name: 'end_bot_credentials',
    text: `UPDATE bot_tokens SET id = new.token_id
             FROM unnest($1::bigint[], $2::bigint[]) AS new (bot_id, token_id)
            WHERE application_id = bot_id`,
    values: [bots.map(({ application_id }) => application_id), bots.map(({ token_id }) => token_id)],
  });
}

/**
 * Refuses the token of a bot, and those that replace it, or accepts it again. A version that is not newer than the last
 * one changes nothing. A token that ends by this gets the new ID, as `endBotCredentials` does it.
 */
export async function setBotDisabled(
  db: Pool,
  bot: {
    readonly application_id: string;
    readonly disabled: boolean;
    readonly version: number;
    readonly token_id: string;
  },
): Promise<void> {
  await db.query({
    name: 'set_bot_disabled',
    text: `UPDATE bot_tokens SET disabled = $2, disabled_version = $3,
                                 id = CASE WHEN $2 AND NOT disabled THEN $4 ELSE id END
            WHERE application_id = $1 AND disabled_version < $3`,
    values: [bot.application_id, bot.disabled, bot.version, bot.token_id],
  });
}
