import { type GuildFixture, newGuild } from '../chat/guild-fixture.ts';
import { type Api, unhurried } from '../support/api.ts';
import { type Hook, hookIn } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

export const create = (api: Api, channel_id: string, body: unknown = { name: 'Build' }) =>
  api.post(`/channels/${channel_id}/webhooks`, body);

export const patch = (api: Api, id: string, body: unknown, headers: Record<string, string> = {}) =>
  api.send('PATCH', `/webhooks/${id}`, { body, headers });

export const remove = (api: Api, id: string, headers: Record<string, string> = {}) =>
  api.send('DELETE', `/webhooks/${id}`, { headers });

/** A webhook in a guild of its own, into which people can be brought. */
export async function openHook(
  stack: TestStack,
  body: Record<string, unknown> = { name: 'Build' },
): Promise<GuildFixture & Hook> {
  const fixture = await newGuild(stack.api);
  return { ...fixture, ...(await hookIn(fixture, unhurried(stack.api), body)) };
}

/** A snowflake that nothing has. */
export const NOTHING = '4';
