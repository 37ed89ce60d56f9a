import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { createBot, installBot } from '../support/bots.ts';
import { createGuild, freshAddress, newcomer } from '../support/people.ts';
import { PROXIED, useStackInProcess } from '../support/stack.ts';
import { ConsoleApi } from './console.ts';

const stack = useStackInProcess({ ...PROXIED, CONSOLE_LOCAL_OPERATOR: 'yes' });
const operator = new ConsoleApi(stack);

const REASON = 'Holds bodies back.';
/** Longer than a body that is not late. */
const HELD_MS = 400;

/** A request whose body stays away but for its first byte. */
interface Held {
  /** Sends the rest. */
  finish(): Promise<{ readonly status: number; readonly text: string }>;
}

async function hold(url: string, authorization: string, body: object, method = 'POST'): Promise<Held> {
  const json = JSON.stringify(body);
  const headers = {
    authorization,
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    'x-forwarded-for': freshAddress(),
  };
  const sent = request(url, { method, headers });
  sent.on('error', () => undefined); // the answer may come first
  const answered = once(sent, 'response');
  await new Promise((resolve) => sent.write(json.slice(0, 1), resolve));
  return {
    finish: async () => {
      sent.end(json.slice(1));
      const [response] = (await answered) as [IncomingMessage]; // the event's arguments
      return { status: response.statusCode ?? 0, text: await text(response) };
    },
  };
}

describe('a request whose body is held back', () => {
  it('is 401 if its account is suspended meanwhile', async () => {
    const owner = await newcomer(stack.api);
    const { guild, channel } = await createGuild(owner);
    const bot = await createBot(owner);
    await installBot(owner, guild, bot, '2048');
    const api = `${stack.url}/api/v1`;
    const bearer = `Bearer ${owner.token}`;
    const password = 'another horse battery';
    const held = await Promise.all([
      hold(`${api}/channels/${channel.id}/messages`, bearer, { content: 'late' }),
      hold(`${api}/channels/${channel.id}/messages`, `Bot ${bot.token}`, { content: 'late' }),
      hold(`${api}/channels/${channel.id}/webhooks`, bearer, { name: 'late' }),
      hold(`${api}/guilds`, bearer, { name: 'late' }),
      // Its limits depend on its body.
      hold(`${api}/users/@me`, bearer, { new_password: password, password: owner.password }, 'PATCH'),
    ]);
    await delay(HELD_MS);
    await operator.ok('POST', `/accounts/${owner.user.id}/suspend`, { reason: REASON });
    const answers = await Promise.all(held.map((one) => one.finish()));
    expect(answers.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401]);
  });

  it('is answered as usual while its credential lives', async () => {
    const owner = await newcomer(stack.api);
    const held = await hold(`${stack.url}/api/v1/guilds`, `Bearer ${owner.token}`, { name: 'slow' });
    await delay(HELD_MS);
    expect((await held.finish()).status).toBe(200);
  });
});

describe('an action whose body is held back', () => {
  const added = (name: string) =>
    operator.ok<{ token: string }>('POST', '/operators', { name, role: 'admin', with_token: true });
  const hire = async (token: string, name: string) =>
    hold(`${stack.running.console_url}/api/operators`, `Bearer ${token}`, { name, role: 'admin' });

  const names = async () =>
    (await operator.ok<{ items: { name: string }[] }>('GET', '/operators')).items.map(({ name }) => name);

  it('is 401 if its operator is removed meanwhile', async () => {
    const { token } = await added('leaver');
    const held = await hire(token, 'friend-of-leaver');
    await delay(HELD_MS);
    await operator.ok('DELETE', '/operators/leaver', {});
    expect((await held.finish()).status).toBe(401);
    expect(await names()).not.toContain('friend-of-leaver');
  });

  it('is 403 if its operator gets a lower role meanwhile', async () => {
    const { token } = await added('demoted');
    const held = await hire(token, 'friend-of-demoted');
    await delay(HELD_MS);
    await operator.ok('PATCH', '/operators/demoted', { role: 'read' });
    expect((await held.finish()).status).toBe(403);
    expect(await names()).not.toContain('friend-of-demoted');
  });
});
