import { isUniqueViolation } from '@gatehouse/kit/db/errors';
import { inTransaction } from '@gatehouse/kit/db/transaction';
import { Form } from '@gatehouse/kit/form';
import { OUTBOX_RETRY_MS } from '@gatehouse/kit/outbox';
import type { PoolClient } from 'pg';
import { failTaken } from '../accounts/registration.ts';
import type { Deps } from '../deps.ts';
import { nameChangedHands, unknownApplication } from '../errors.ts';
import type { Account } from '../store/accounts/account.ts';
import { findTaken } from '../store/accounts/accounts.ts';
import { notePictureChange } from '../store/accounts/picture-changes.ts';
import { updateProfile } from '../store/accounts/profiles.ts';
import { nameKey } from '../store/encryption/account-keys.ts';
import { type BotChanges, newBotKey } from './bot-form.ts';

/**
 * Changes a bot, and reports a new picture to media.
 *
 * @throws INVALID_FORM_BODY if its name is taken; UNKNOWN_APPLICATION if it is gone
 */
export async function applyBotChanges(deps: Deps, bot: Account, changes: BotChanges): Promise<Account> {
  await refuseTaken(deps, bot, changes);
  let account: Account | undefined;
  try {
    account = await inTransaction(deps.db, (tx) => apply(tx, bot.id, changes));
  } catch (error) {
    if (!isUniqueViolation(error)) throw error;
    await refuseTaken(deps, bot, changes); // a concurrent request took the name
    throw nameChangedHands();
  }
  if (account === undefined) throw unknownApplication();
  if (changes.avatar !== undefined) await deps.pictureChanges.send(bot.id);
  return account;
}

async function refuseTaken({ prisma }: Deps, bot: Account, changes: BotChanges): Promise<void> {
  const username_key = newBotKey(bot, changes);
  if (username_key === undefined) return;
  const form = new Form();
  failTaken(form, await findTaken(prisma, { username_key }));
  form.check();
}

async function apply(
  tx: PoolClient,
  id: string,
  { username, avatar }: BotChanges,
): Promise<Account | undefined> {
  const columns = {
    ...(username !== undefined && { username, username_key: nameKey(username) }),
    ...(avatar !== undefined && { avatar: avatar?.hash ?? null }),
  };
  const account = await updateProfile(tx, id, columns, null);
  if (account !== undefined && avatar !== undefined) {
    const change = {
      owner_id: id,
      slot: 'avatar',
      hash: avatar?.hash ?? null,
      upload_id: avatar?.id ?? null,
    } as const;
    await notePictureChange(tx, change, OUTBOX_RETRY_MS);
  }
  return account;
}
