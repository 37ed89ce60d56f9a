import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { PoolClient } from 'pg';
import { refuseTakenKeys, reportTakenKeys } from '../accounts/taken-keys.ts';
import type { Deps } from '../deps.ts';
import { unknownApplication } from '../errors.ts';
import type { Account } from '../store/accounts/account.ts';
import { queuePictureChange } from '../store/accounts/picture-changes.ts';
import { updateProfile } from '../store/accounts/profiles.ts';
import { uniqueKey } from '../store/accounts/unique-keys.ts';
import { type BotChanges, newBotKey } from './bot-form.ts';

/**
 * Changes a bot, and reports a new picture to media.
 *
 * @throws INVALID_FORM_BODY if its name is taken; UNKNOWN_APPLICATION if it is gone
 */
export async function applyBotChanges(deps: Deps, bot: Account, changes: BotChanges): Promise<Account> {
  const { db, prisma } = deps;
  const keys = { username_key: newBotKey(bot, changes) };
  await refuseTakenKeys(prisma, keys);
  const account = await reportTakenKeys(prisma, keys, () =>
    inTransaction(db, (tx) => updateBotAccount(tx, bot.id, changes)),
  );
  if (account === undefined) throw unknownApplication();
  if (changes.avatar !== undefined) await deps.pictureChanges.send(bot.id);
  return account;
}

async function updateBotAccount(
  tx: PoolClient,
  id: string,
  { username, avatar }: BotChanges,
): Promise<Account | undefined> {
  const columns = {
    ...(username !== undefined && { username, username_key: uniqueKey(username) }),
    ...(avatar !== undefined && { avatar: avatar?.hash ?? null }),
  };
  const account = await updateProfile(tx, id, columns, null);
  if (account !== undefined && avatar !== undefined) await queuePictureChange(tx, id, 'avatar', avatar);
  return account;
}
