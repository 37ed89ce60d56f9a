import { type Api, withGlobalRetry } from '../support/api.ts';
import { newGuild } from '../support/guilds.ts';
import { createWebhook, type GuildFixture, type WebhookFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

export const postWebhook = (api: Api, channel_id: string, body: unknown = { name: 'Build' }) =>
  api.post(`/channels/${channel_id}/webhooks`, body);

export const patchWebhook = (api: Api, id: string, body: unknown, headers: Record<string, string> = {}) =>
  api.send('PATCH', `/webhooks/${id}`, { body, headers });

export const deleteWebhook = (api: Api, id: string, headers: Record<string, string> = {}) =>
  api.send('DELETE', `/webhooks/${id}`, { headers });

/** Creates a webhook in a new guild, for many requests: its clients repeat what the global limit denies. */
export async function openWebhook(
  stack: TestStack,
  body: Record<string, unknown> = { name: 'Build' },
): Promise<GuildFixture & WebhookFixture> {
  const fixture = await newGuild(stack.api);
  return { ...fixture, ...(await createWebhook(fixture, withGlobalRetry(stack.api), body)) };
}

/** A snowflake that no object has. */
export const UNKNOWN_ID = '4';
