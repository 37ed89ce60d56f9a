import { describe, expect, it } from 'vitest';
import { newOauthClient } from '../oauth2/consent.ts';
import { grantTokens } from '../oauth2/grant-tokens.ts';
import { newBot } from '../support/bots.ts';
import { readLogs } from '../support/logs.ts';
import { newcomer } from '../support/people.ts';
import { PROXIED, useStack } from '../support/stack.ts';
import { OP } from './support/codes.ts';
import { useGateway } from './support/use-gateway.ts';

/** The most verbose level includes the lines of every other level. */
const stack = useStack({ ...PROXIED, LOG_LEVEL: 'trace' });
const gateway = useGateway(stack);

describe('logs contain no token', () => {
  it('after valid and invalid uses at the Gateway', async () => {
    const person = await newcomer(stack.api);
    const bot = await newBot(stack.api);
    const { access_token } = await grantTokens(
      stack.api,
      await newOauthClient(stack.api),
      'identify email guilds',
    );
    const wrong = `gth_${'w'.repeat(36)}`;
    const tokens = [person.token, bot.token, access_token, wrong];

    const alive = [await gateway.identify(person.token), await gateway.identify(`Bot ${bot.token}`)];
    for (const session of alive) {
      session.connection.break();
      await gateway.resume(session, 1);
    }
    for (const token of tokens)
      for (const sent of badlyUsed(token, alive[0]?.session_id ?? '')) {
        const connection = await gateway.connect();
        connection.send(sent);
        connection.send('{');
        await connection.closed();
      }
    for (const token of tokens) {
      await gateway.connect(`?v=1&encoding=json&token=${token}`, {
        headers: { authorization: `Bearer ${token}` },
      });
      await gateway.connectRefused(`?v=${token}`);
      await gateway.connectRefused(`?v=1&encoding=${token}`);
      const closing = await gateway.connect();
      await closing.close(4000, token);
    }
    const path = `/oauth2/applications/${bot.id}/bot/reset-token`;
    const reset = await bot.owner.api.post(path, { password: bot.owner.password });
    expect(reset.status, reset.text).toBe(200);
    expect((await person.api.post('/auth/logout')).status).toBe(204);

    const secrets = [...tokens, reset.json<{ token: string }>().token].map(
      (token) => token.split('.').at(-1) ?? '',
    );
    await stack.running.close();
    const logs = await readLogs(stack.data_dir);
    expect(logs.get('realtime.log')).toContain('{');
    const leaks = [...logs].flatMap(([name, text]) =>
      secrets.flatMap((secret, index) => (text.includes(secret) ? [`token ${index} in ${name}`] : [])),
    );
    expect(leaks).toEqual([]);
  });
});

function badlyUsed(token: string, session_id: string): string[] {
  const identify = { op: OP.IDENTIFY, d: { token } };
  return [
    JSON.stringify({ op: OP.IDENTIFY, d: { token: { token } } }),
    JSON.stringify({ op: OP.IDENTIFY, d: { token: `Bearer ${token}` } }),
    JSON.stringify({ op: OP.IDENTIFY, d: token }),
    JSON.stringify({ op: OP.RESUME, d: { token, session_id: token, seq: 7 } }),
    JSON.stringify({ op: OP.RESUME, d: { token, session_id, seq: token } }),
    JSON.stringify({ op: token, d: token, t: token, s: token }),
    JSON.stringify({ ...identify, op: 99 }),
    JSON.stringify({ ...identify, pad: 'x'.repeat(16 * 1024) }),
    JSON.stringify(identify).slice(0, -1),
    token,
  ];
}
