import { type Api, withGlobalRetry } from './api.ts';
import { bodyOf, expectOk } from './expect-status.ts';
import type { Application, Guild } from './objects.ts';
import { type Caller, newcomer, type Person } from './people.ts';

export interface Bot extends Caller {
  readonly id: string;
  readonly token: string;
  readonly owner: Person;
}

/** Creates an application with a bot, in no guild. */
export async function createBot(owner: Person): Promise<Bot> {
  const { id, bot } = await expectOk<Application>(owner.api.post('/oauth2/applications', { name: 'Helper' }));
  return { id, token: bot.token, owner, api: owner.api.as(`Bot ${bot.token}`) };
}

/** A bot of a new owner's application, in no guild. */
export async function newBot(api: Api): Promise<Bot> {
  return createBot(await newcomer(withGlobalRetry(api)));
}

/** Installs a bot into a guild with the consent of `by`. */
export async function installBot(
  by: Pick<Person, 'api'>,
  { id }: Pick<Guild, 'id'>,
  bot: Pick<Bot, 'id'>,
  permissions = '0',
): Promise<void> {
  const body = { client_id: bot.id, scope: 'bot', guild_id: id, permissions };
  bodyOf(await by.api.post('/oauth2/authorize/consent', body));
}
