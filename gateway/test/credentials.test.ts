import { CallerKind } from '@gatehouse/proto/kit/calls';
import { describe, expect, it } from 'vitest';
import { useEdge } from './support/edge.ts';
import { expectSame } from './support/expect-same.ts';
import { ACCESS_TOKEN, BOT, charged, SESSION, WITHOUT_SCOPES } from './support/peers.ts';
import { raw, request } from './support/wire.ts';

const USER_OR_BOT = 'GET /users/@me';
const USER = 'GET /oauth2/applications/@me';
const PUBLIC = 'GET /webhooks/41/tok';

describe('the Authorization header', () => {
  const edge = useEdge();
  const as = (authorization: string, line = USER_OR_BOT) => edge.send(line, { headers: { authorization } });

  function identified(): unknown[] {
    return edge.peers.calls.filter(({ rpc }) => rpc === 'identify').map((call) => call.request);
  }
  /** Auth's look-ups for a malformed header: as many as for any other. */
  const DECOY = { kind: CallerKind.CALLER_KIND_SESSION, token: '' };

  it.each([
    ['Bearer', `Bearer ${SESSION}`],
    ['bare', SESSION],
  ])('takes a session token %s', async (_, header) => {
    expect((await as(header)).status).toBe(200);
    expect((await as(header, USER)).status).toBe(200);
    expect(identified()[0]).toEqual({ kind: CallerKind.CALLER_KIND_SESSION, token: SESSION });
  });

  it('takes a bot token with Bot on routes for bots', async () => {
    expect((await as(`Bot ${BOT}`)).status).toBe(200);
    expect(identified()).toEqual([{ kind: CallerKind.CALLER_KIND_BOT, token: BOT }]);
  });

  it('takes an access token with Bearer and looks it up at oauth2, whatever its first characters', async () => {
    expect(ACCESS_TOKEN).toMatch(/^gth_.{39}$/);
    expect((await as(`Bearer ${ACCESS_TOKEN}`)).status).toBe(200);
    const [first] = edge.peers.calls;
    expect([first?.service, first?.rpc, first?.request]).toEqual([
      'oauth2',
      'identify',
      { token: ACCESS_TOKEN },
    ]);
    expect(edge.peers.calls.at(-1)?.call.caller).toMatchObject({
      kind: CallerKind.CALLER_KIND_ACCESS_TOKEN,
      account_id: '1001',
      credential_id: '9004',
      application_id: '51',
      scopes: ['connections', 'guilds', 'identify'],
      ip: '127.0.0.1',
    });
  });

  it('names the scope that an access token lacks', async () => {
    const missing = await as(`Bearer ${WITHOUT_SCOPES}`);
    expect(missing.json()).toEqual({
      error: '403 Forbidden',
      code: 'MISSING_OAUTH_SCOPE',
      message: expect.stringContaining('identify'),
      required_scope: 'identify',
    });
    expect((await as(`Bearer ${WITHOUT_SCOPES}`, 'GET /guilds/11')).json().required_scope).toBe('guilds');
  });

  it('needs oauth2 for an access token, and only auth for a session', async () => {
    await edge.peers.stop('oauth2');
    expect((await as(`Bearer ${ACCESS_TOKEN}`)).status).toBe(503);
    expect((await as(`Bearer ${SESSION}`)).status).toBe(200);
    await edge.peers.restart('oauth2');
    await expect.poll(async () => (await as(`Bearer ${ACCESS_TOKEN}`)).status).toBe(200);
  });

  it('passes the caller to the service: kind, account, credential, address, agent, and a bot’s application', async () => {
    const headers = { 'user-agent': 'x'.repeat(600), 'x-request-id': 'r-1' };
    const caller = () => edge.peers.calls.at(-1)?.call;
    await edge.send(USER_OR_BOT, { headers: { ...headers, authorization: SESSION } });
    expect(caller()?.requestId).toBe('r-1');
    expect(caller()?.caller).toEqual({
      kind: CallerKind.CALLER_KIND_SESSION,
      account_id: '1001',
      credential_id: '9001',
      application_id: '',
      scopes: [],
      ip: '127.0.0.1',
      user_agent: 'x'.repeat(512),
      accept_language: null,
    });
    await edge.send(USER_OR_BOT, { headers: { ...headers, authorization: `Bot ${BOT}` } });
    expect(caller()?.caller).toMatchObject({
      kind: CallerKind.CALLER_KIND_BOT,
      account_id: '2001',
      application_id: '2001',
    });
    await edge.send(PUBLIC);
    expect(caller()?.caller).toMatchObject({
      kind: CallerKind.CALLER_KIND_UNSPECIFIED,
      account_id: '',
      credential_id: '',
      ip: '127.0.0.1',
    });
  });

  it('passes Accept-Language to auth, which writes mail, cut to 256 characters, and to no other service', async () => {
    const headers = { 'accept-language': `de${' '.repeat(300)}, en` };
    const caller = () => edge.peers.calls.at(-1)?.call.caller;
    await edge.send('POST /auth/logout', { headers: { ...headers, authorization: SESSION } });
    expect(caller()?.accept_language).toBe(`de${' '.repeat(254)}`);
    await edge.send('GET /guilds/11', { headers: { ...headers, authorization: SESSION } });
    expect(caller()?.accept_language).toBeNull();
  });

  /** Each is 401 on routes that need a credential, and ignored on others. */
  const REFUSED: [string, string][] = [
    ['nothing', ''],
    ['Bearer alone', 'Bearer'],
    ['Bot alone', 'Bot'],
    ['bearer', `bearer ${SESSION}`],
    ['BEARER', `BEARER ${SESSION}`],
    ['bot', `bot ${BOT}`],
    ['Token', `Token ${SESSION}`],
    ['Basic', `Basic ${btoa(`51:${'s'.repeat(43)}`)}`],
    ['two spaces', `Bearer  ${SESSION}`],
    ['two spaces after Bot', `Bot  ${BOT}`],
    ['a tab', `Bearer\t${SESSION}`],
    ['a colon', `Bearer:${SESSION}`],
    ['no space', `Bearer${SESSION}`],
    ['a second scheme', `Bearer Bearer ${SESSION}`],
    ['something after it', `Bearer ${SESSION} x`],
    ['something after a bare token', `${SESSION} x`],
    ['a comma and another', `Bearer ${SESSION}, Bearer ${SESSION}`],
    ['a letter more', `Bearer ${SESSION}x`],
    ['a letter less', `Bearer ${SESSION.slice(0, -1)}`],
    ['a bot token bare', BOT],
    ['a bot token as Bearer', `Bearer ${BOT}`],
    ['a session token as Bot', `Bot ${SESSION}`],
    ['an unknown session', `Bearer gth_${'A'.repeat(36)}`],
    ['an unknown bot', 'Bot 2001.other'],
    ['an unknown access token', `Bearer ${'a'.repeat(43)}`],
    ['an unknown access token, bare', 'a'.repeat(43)],
    ['bytes above ASCII', 'Bearer gth_\xe9\xff'],
    ['60,000 characters', `Bearer gth_${'A'.repeat(60_000)}`],
  ];

  it.each(REFUSED)('with %s is 401 UNAUTHORIZED, like a missing header', async (_, header) => {
    const none = await edge.send(USER_OR_BOT);
    expect([none.status, none.json().code]).toEqual([401, 'UNAUTHORIZED']);
    for (const line of [USER_OR_BOT, USER]) expectSame(await as(header, line), none);
  });

  it.each(REFUSED)('with %s is ignored on public routes', async (_, header) => {
    expect((await as(header, PUBLIC)).status).toBe(200);
    expect(edge.peers.calls.at(-1)?.call.caller.kind).toBe(CallerKind.CALLER_KIND_UNSPECIFIED);
  });

  it.each(REFUSED)('with %s causes one look-up, of at most 256 characters', async (_, header) => {
    await as(header);
    const [sent, ...more] = identified() as { token: string }[];
    expect(more).toEqual([]);
    expect(sent?.token.length).toBeLessThanOrEqual(256);
  });

  it('sent twice is malformed, even with one value, and is not looked up', async () => {
    const none = await edge.send(USER_OR_BOT);
    const line = `Authorization: Bearer ${SESSION}`;
    for (const second of [line, `authorization: Bot ${BOT}`, 'AUTHORIZATION: ']) {
      expectSame(await raw(edge, request(USER_OR_BOT, [line, second])), none);
      expect((await raw(edge, request(PUBLIC, [line, second]))).status).toBe(200);
    }
    expect(identified()).toEqual(Array.from({ length: 6 }, () => DECOY));
  });

  it.each(['token', 'introspect', 'token/revoke'])(
    'with an application’s credential is not looked up on POST /oauth2/%s, and its address is the client',
    async (path) => {
      const send = (authorization: string) => as(authorization, `POST /oauth2/${path}`);
      for (const header of [`Basic ${btoa(`51:${'s'.repeat(43)}`)}`, `Bearer  ${SESSION}`, '']) {
        edge.peers.reset();
        expect((await send(header)).status).toBe(200);
        expect(identified()).toEqual([]);
        expect(charged(edge.peers)[0]).toEqual(['global ip:127.0.0.1']);
      }
      edge.peers.reset();
      expect((await send(`Bearer ${SESSION}`)).status).toBe(200);
      expect(identified()).toHaveLength(1);
      expect(charged(edge.peers)[0]).toEqual(['global credential:1:9001']);
    },
  );

  it('of a live bot on a route for users is 403 ACCESS_DENIED, of an ended one 401', async () => {
    const denied = await as(`Bot ${BOT}`, USER);
    expect([denied.status, denied.json().code]).toEqual([403, 'ACCESS_DENIED']);
    expect((await as('Bot 2001.other', USER)).status).toBe(401);
  });
});
