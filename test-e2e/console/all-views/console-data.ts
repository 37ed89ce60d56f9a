import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '@gatehouse/dev-env/until';
import type { Application, Channel, Webhook } from '../../support/objects.ts';
import { createDemoData, type DemoPerson } from '../../web/all-pages/demo-data.ts';

/** A stack with CONSOLE_LOCAL_OPERATOR=yes, metrics and limits. */
export interface ConsoleStack {
  readonly url: string;
  readonly console_url: string;
  readonly data_dir: string;
}

/** What the views of the console show. */
export interface ConsoleData {
  readonly account_id: string;
  /** Of an account without anything. */
  readonly suspended_id: string;
  readonly application_id: string;
  readonly guild_id: string;
  readonly webhook_id: string;
  readonly request_id: string;
}

const REASON =
  'Floods three channels with the same message, and did not answer two mails. The owner of the guild asked for it; see the ticket of last week for all that was tried before.';
const LONG_OPERATOR = 'an-operator-with-the-longest-name.of-all';
/** More than a webhook may run in a minute. */
const FLOOD = 80;
const FEW = 20;
/** Overview steps that a line needs. */
const STEPS = 3;
const STEPS_WITHIN_MS = 60_000;

/** Creates accounts, things and denials, with long names among them, and takes an action of each kind. */
export async function createConsoleData(stack: ConsoleStack): Promise<ConsoleData> {
  const { owner, guild_id, application_id } = await createDemoData(stack.url);
  const other = await createDemoData(stack.url);
  const channels = await owner.client.call<Channel[]>('GET', `/guilds/${guild_id}/channels`);
  const channel = channels.find(({ name }) => name === 'general');
  if (channel === undefined) throw new Error('the guild has no channel');
  const webhooks = await owner.client.call<Webhook[]>('GET', `/channels/${channel.id}/webhooks`);
  // Requests before the first step are in no plot and in no route.
  const before = await untilSteps(stack, 1);
  const request_id = await flood(stack, webhooks);
  await useBot(stack, owner);
  const webhook_id = webhooks[0]?.id ?? '';
  await act(stack, owner, { application_id, webhook_id, suspended_id: other.owner.user_id });
  await untilSteps(stack, before + STEPS);
  return {
    account_id: owner.user_id,
    suspended_id: other.owner.user_id,
    application_id,
    guild_id,
    webhook_id,
    request_id,
  };
}

/** Executes webhooks, more often than their limit allows. Returns the ID of one of the requests. */
async function flood({ url }: ConsoleStack, webhooks: readonly Webhook[]): Promise<string> {
  const replies = await Promise.all(
    webhooks.flatMap(({ id, token }, index) =>
      Array.from({ length: index === 0 ? FLOOD : FEW }, () =>
        request(url, 'POST', `/webhooks/${id}/${token}`, { content: 'flood' }),
      ),
    ),
  );
  return replies[0]?.headers.get('x-request-id') ?? '';
}

/** Sends requests of an application's bot. */
async function useBot({ url }: ConsoleStack, { client }: DemoPerson): Promise<void> {
  const { bot } = await client.call<Application>('POST', '/oauth2/applications', { name: 'Wetter مرحبا' });
  for (let time = 0; time < FEW; time++)
    await request(url, 'GET', '/users/@me', undefined, `Bot ${bot.token}`);
}

async function request(
  url: string,
  method: string,
  path: string,
  body?: object,
  authorization?: string,
): Promise<Response> {
  const response = await fetch(`${url}/api/v1${path}`, {
    method,
    headers: {
      ...(body && { 'content-type': 'application/json' }),
      ...(authorization && { authorization }),
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  await response.arrayBuffer();
  return response;
}

async function act(
  stack: ConsoleStack,
  { user_id }: DemoPerson,
  of: Pick<ConsoleData, 'application_id' | 'webhook_id' | 'suspended_id'>,
): Promise<void> {
  const expires_at_ms = Date.now() + 3_600_000;
  const reason = REASON;
  await send(stack, 'POST', '/operators', { name: LONG_OPERATOR, role: 'support', with_token: true });
  await send(stack, 'POST', `/accounts/${of.suspended_id}/suspend`, { reason });
  await send(stack, 'POST', `/applications/${of.application_id}/disable`, { reason });
  await send(stack, 'POST', `/webhooks/${of.webhook_id}/disable`, { reason: 'Too loud.' });
  const { items } = await send<{ items: { name: string }[] }>(stack, 'GET', '/limits/buckets');
  await send(stack, 'PUT', '/limits/overrides', {
    identity: `account:${user_id}`,
    bucket: items[0]?.name,
    limit: 1_000_000,
    window_seconds: 86_400,
    expires_at_ms,
    reason,
  });
  await send(stack, 'PUT', '/limits/overrides', {
    identity: 'ip:2001:db8:1234:5678:9abc:def0:1234:5678',
    exempt: true,
    expires_at_ms,
    reason: 'A partner.',
  });
}

/** Waits until the overview has so many steps. Returns their number. */
function untilSteps(stack: ConsoleStack, count: number): Promise<number> {
  return until('steps of the overview', STEPS_WITHIN_MS, async () => {
    const { times } = await send<{ times: number[] }>(stack, 'GET', '/overview');
    return times.length >= count ? times.length : undefined;
  });
}

async function send<T>({ console_url, data_dir }: ConsoleStack, method: string, path: string, body?: object) {
  const token = readFileSync(join(data_dir, 'console', 'token'), 'utf8').trim();
  const response = await fetch(`${console_url}/api${path}`, {
    method,
    headers: { authorization: `Bearer ${token}`, ...(body && { 'content-type': 'application/json' }) },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as T; // the caller names the shape
}
