import { until } from '@gatehouse/dev-env/until';
import { expect } from 'vitest';
import type { Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import type { CurrentUser } from '../support/objects.ts';
import { newWebhook, type WebhookFixture } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';

export type Probe = () => Promise<Reply>;

/** A request to a route of each service, repeatable without reaching a limit. */
export interface Probes {
  me: Probe;
  guild: Probe;
  applications: Probe;
  readWebhook: Probe;
  execute: Probe;
  picture: Probe;
}

/** Number of webhooks used in turn, so that no bucket fills up. */
const HOOKS = 8;

const PIXEL = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

export async function openProbes({ api, url }: TestStack): Promise<Probes> {
  const hooks: WebhookFixture[] = [];
  for (let n = 0; n < HOOKS; n += 1) hooks.push(await newWebhook(api));
  const picture = await openPicture(hooks[0] as WebhookFixture, url);
  let turn = 0;
  const inTurn = (ask: (hook: WebhookFixture) => Promise<Reply>) => () => {
    turn += 1;
    return ask(hooks[turn % HOOKS] as WebhookFixture);
  };
  return {
    me: inTurn(({ owner }) => owner.api.get('/users/@me')),
    guild: inTurn(({ owner, guild }) => owner.api.get(`/guilds/${guild.id}`)),
    applications: inTurn(({ owner }) => owner.api.get('/oauth2/applications/@me')),
    readWebhook: inTurn(({ path }) => api.get(path)),
    execute: inTurn(({ execute }) => execute({ content: 'still there?' })),
    picture,
  };
}

/** A public picture, outside /api/v1. */
async function openPicture({ owner }: WebhookFixture, url: string): Promise<Probe> {
  const reply = await owner.api.send('PATCH', '/users/@me', { body: { avatar: PIXEL } });
  expect(reply.status, reply.text).toBe(200);
  const { id, avatar } = reply.json<CurrentUser>();
  return async () => {
    const response = await fetch(`${url}/media/avatars/${id}/${avatar}`);
    const text = await response.text();
    return { status: response.status, headers: response.headers, text, json: () => JSON.parse(text) };
  };
}

export interface TimedReply {
  reply: Reply;
  ms: number;
}

export async function timed(probe: Probe): Promise<TimedReply> {
  const start = performance.now();
  const reply = await probe();
  return { reply, ms: performance.now() - start };
}

/** Calls a route until it succeeds. Returns every response. */
export async function untilHealthy(probe: Probe, timeout_ms = 30_000): Promise<TimedReply[]> {
  const answers: TimedReply[] = [];
  await until('the route answers again', timeout_ms, async () => {
    const answer = await timed(probe);
    answers.push(answer);
    return answer.reply.status < 300 ? true : undefined;
  });
  return answers;
}

/** Expects a prompt 503 with the standard error body. */
export function expectUnavailable({ reply, ms }: TimedReply): void {
  expectError(reply, 503, 'SERVICE_UNAVAILABLE');
  expect(reply.headers.get('retry-after')).toBe('1');
  expect(ms, 'no request hangs').toBeLessThan(5000);
}

/** Expects a 503 or 504 in bounded time. */
export function expectTooSlow({ reply, ms }: TimedReply): void {
  if (reply.status === 503) expectError(reply, 503, 'SERVICE_UNAVAILABLE');
  else expectError(reply, 504, 'GATEWAY_TIMEOUT');
  expect(ms, 'no request hangs').toBeLessThan(20_000);
}
