import { expect } from 'vitest';
import { expectOk } from '../../chat/guild-fixture.ts';
import { type Api, withGlobalRetry } from '../../support/api.ts';
import type { Application, Guild } from '../../support/objects.ts';
import { newcomer, type Person } from '../../support/people.ts';
import type { GatewayCaller } from './watch.ts';

export interface Bot extends GatewayCaller {
  readonly id: string;
  readonly owner: Person;
}

/** A bot of a new owner's application, in no guild. */
export async function newActorBot(api: Api): Promise<Bot> {
  const owner = await newcomer(withGlobalRetry(api));
  const { id, bot } = await expectOk<Application>(owner.api.post('/oauth2/applications', { name: 'Helper' }));
  return { id, token: bot.token, owner, api: withGlobalRetry(api.as(`Bot ${bot.token}`)) };
}

/** Installs a bot into a guild by the consent of `by`. */
export async function installBot(
  by: Pick<Person, 'api'>,
  { id }: Pick<Guild, 'id'>,
  bot: Bot,
  permissions = '0',
): Promise<void> {
  const body = { client_id: bot.id, scope: 'bot', guild_id: id, permissions };
  const reply = await by.api.post('/oauth2/authorize/consent', body);
  expect(reply.status, reply.text).toBe(200);
}
