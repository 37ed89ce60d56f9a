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

/** Creates a webhook in a new guild, for many requests: its clients repeat what the global limit denies. */
export async function openHook(
  stack: TestStack,
  body: Record<string, unknown> = { name: 'Build' },
): Promise<GuildFixture & Hook> {
  const fixture = await newGuild(stack.api);
  return { ...fixture, ...(await hookIn(fixture, unhurried(stack.api), body)) };
}

/** A snowflake that no object has. */
export const NOTHING = '4';
