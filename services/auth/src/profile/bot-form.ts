import { Form } from '@gatehouse/kit/form';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { UpdateBotRequest } from '@gatehouse/proto/auth';
import { readUsername } from '../accounts/registration.ts';
import type { Account } from '../store/accounts/account.ts';
import { uniqueKey } from '../store/accounts/unique-keys.ts';
import { changedField, changedPicture } from './profile-changes.ts';
import { type RequestedProfile, readPictureMember } from './profile-form.ts';

/** The requested values of a bot. An undefined one stays as it is, null removes it. */
type RequestedBot = Pick<RequestedProfile, 'username' | 'avatar'>;

/** The requested values that differ from the current ones. */
export type BotChanges = { readonly [Field in keyof RequestedBot]?: Exclude<RequestedBot[Field], undefined> };

/** @throws INVALID_FORM_BODY with all violations that do not depend on other accounts */
export async function readBotForm(uploads: Uploads, request: UpdateBotRequest): Promise<RequestedBot> {
  const form = new Form();
  const username = request.username?.trim();
  if (username !== undefined) readUsername(form, username);
  const avatar = await readPictureMember(form, 'avatar', request.avatar, uploads);
  form.check();
  return { username, avatar };
}

export function botChangesOf(bot: Account, { username, avatar }: RequestedBot): BotChanges {
  return { ...changedField('username', username, bot), ...changedPicture('avatar', avatar, bot) };
}

/** The new name's key, or undefined if the bot already has it. */
export function newBotKey(bot: Account, { username }: BotChanges): string | undefined {
  if (username === undefined || uniqueKey(username) === uniqueKey(bot.username)) return undefined;
  return uniqueKey(username);
}
