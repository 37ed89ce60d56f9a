import { Form } from '@gatehouse/kit/form';
import type { Uploads } from '@gatehouse/media-client/uploads';
import type { UpdateBotRequest } from '@gatehouse/proto/auth';
import { readUsername } from '../accounts/registration.ts';
import type { Account } from '../store/accounts/account.ts';
import { nameKey } from '../store/encryption/account-keys.ts';
import { changed, changedPicture } from './changes.ts';
import { readPictureMember, type Wanted } from './form.ts';

/** What a bot is to be: undefined stays as it is, null is none. */
type WantedBot = Pick<Wanted, 'username' | 'avatar'>;

/** Of what is wanted, what is not so already. */
export type BotChanges = { readonly [Field in keyof WantedBot]?: Exclude<WantedBot[Field], undefined> };

/** @throws INVALID_FORM_BODY naming everything that is wrong and can be known without the other accounts */
export async function readBotForm(uploads: Uploads, request: UpdateBotRequest): Promise<WantedBot> {
  const form = new Form();
  const username = request.username?.trim();
  if (username !== undefined) readUsername(form, username);
  const avatar = await readPictureMember(form, 'avatar', request.avatar, uploads);
  form.check();
  return { username, avatar };
}

export function botChangesOf(bot: Account, { username, avatar }: WantedBot): BotChanges {
  return { ...changed('username', username, bot), ...changedPicture('avatar', avatar, bot) };
}

/** The name that must be free; undefined where it is the bot's own. */
export function newBotKey(bot: Account, { username }: BotChanges): string | undefined {
  if (username === undefined || nameKey(username) === nameKey(bot.username)) return undefined;
  return nameKey(username);
}
