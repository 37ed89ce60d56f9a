import { CallerKind } from '@gatehouse/proto/kit/calls';
import { describe, expect, it } from 'vitest';
import { browserCookie } from '../../src/http/sign-in-cookie.ts';
import { ROUTES } from '../../src/routes/index.ts';
import { lastRequest, steps, useEdge } from '../support/edge.ts';
import { charged, SESSION } from '../support/peers.ts';
import { session } from '../support/samples.ts';

const SECRET = 's3cret_-'.padEnd(43, 'A');
const ORIGIN = 'https://chat.example.com';
const NAME = '__Host-gatehouse';
const cookie = `${NAME}=${SECRET}`;
const bearer = { authorization: `Bearer ${SESSION}` };
const RESUME = 'POST /auth/browser-session/resume';
const IDENTITY = { account_id: '1001', credential_id: '9001' };

describe('the sign-in cookie', () => {
  it('has a plain name only without TLS at a loopback host', () => {
    const set = (web_app_url: string) => browserCookie(web_app_url).set({ secret: 'x' });
    const secure = '__Host-gatehouse=x; Path=/; HttpOnly; SameSite=Lax; Secure';
    const plain = 'gatehouse=x; Path=/; HttpOnly; SameSite=Lax';
    expect(set('https://chat.example.com/app')).toBe(secure);
    expect(set('https://localhost:8443')).toBe(secure);
    expect(set('http://chat.example.com')).toBe(secure);
    for (const host of ['127.0.0.1:8080', 'localhost:3000', '[::1]', '127.8.9.1'])
      expect(set(`http://${host}`)).toBe(plain);
  });

  it.each<[string, string | undefined, string | undefined]>([
    ['alone', cookie, SECRET],
    ['among others', `a=b; ${cookie};c=d`, SECRET],
    ['absent', undefined, undefined],
    ['twice', `${cookie}; ${cookie}`, undefined],
    ['twice, once empty', `${NAME}=; ${cookie}`, undefined],
    ['twice, once malformed', `${cookie}; ${NAME}=x`, undefined],
    ['of another case', cookie.toLowerCase(), undefined],
    ['a longer name', `x${cookie}`, undefined],
    ['the plain name', `gatehouse=${SECRET}`, undefined],
    ['quoted', `${NAME}="${SECRET}"`, undefined],
    ['too short', cookie.slice(0, -1), undefined],
    ['too long', `${cookie}A`, undefined],
    ['without a value', NAME, undefined],
    ['the value of another', `a=${NAME}=${SECRET}`, undefined],
    ['after many others', `${'a=b; '.repeat(8_000)}${cookie}`, SECRET],
  ])('is read when it is %s', (_, header, expected) => {
    const headers = header === undefined ? {} : { cookie: header };
    expect(browserCookie(ORIGIN).read({ headers })).toBe(expected);
  });
});

describe('a page of the web app', () => {
  const isOwn = (web_app_url: string, origin?: string, host?: string) =>
    browserCookie(web_app_url).isFromWebApp({
      headers: { ...(origin !== undefined && { origin }), ...(host !== undefined && { host }) },
    });

  it('has its origin, whatever the path of the web app', () => {
    expect(isOwn(`${ORIGIN}/app`, ORIGIN)).toBe(true);
    for (const other of [
      undefined,
      'null',
      'http://chat.example.com',
      `${ORIGIN}:8443`,
      'https://example.com',
    ])
      expect(isOwn(ORIGIN, other, 'chat.example.com')).toBe(false);
  });

  it('may be at another name of this machine, if it calls that name', () => {
    const app = 'http://127.0.0.1:8080';
    expect(isOwn(app, 'http://localhost:8080', 'localhost:8080')).toBe(true);
    expect(isOwn(app, 'http://[::1]:8080', '[::1]:8080')).toBe(true);
    expect(isOwn(app, 'http://localhost:8080', '127.0.0.1:8080')).toBe(false);
    expect(isOwn(app, 'http://localhost:8081', 'localhost:8081')).toBe(false);
    expect(isOwn(app, 'http://evil.example:8080', 'evil.example:8080')).toBe(false);
    expect(isOwn('https://localhost:8080', 'http://127.0.0.1:8080', '127.0.0.1:8080')).toBe(false);
  });
});

describe('a route', () => {
  const edge = useEdge({ config: { web_app_url: ORIGIN } });

  it('is identified by the cookie only if it is the start of an authorization', async () => {
    const readers = ROUTES.filter(({ cookie: use }) => use === 'identifies' || use === 'resumes');
    expect(readers.map(({ verb, path }) => `${verb} ${path}`).sort()).toEqual([
      'GET /oauth2/authorize',
      RESUME,
    ]);
    for (const row of ROUTES) {
      const line = `${row.verb} ${row.path.replaceAll(/\{\w+\}/g, '7')}`;
      edge.peers.reset();
      const { status, headers } = await edge.send(line, { headers: { cookie, origin: ORIGIN } });
      const rpcs = steps(edge);
      const isReader = readers.includes(row);
      expect(rpcs.includes('identifyBrowserSession'), line).toBe(row.cookie === 'identifies');
      if (row.access !== 'public') expect(status, line).toBe(401);
      if (row.cookie !== 'clears' && !isReader) expect(headers.has('set-cookie'), line).toBe(false);
      const sent = edge.peers.calls.filter(({ rpc }) => rpc !== 'check');
      const texts = JSON.stringify(sent.map(({ request, call }) => [request, call.caller]));
      expect(texts.includes(SECRET), line).toBe(isReader);
    }
  });

  it('has the address as its client for the limits, whatever the cookie says', async () => {
    edge.peers.answers.auth = { identifyBrowserSession: () => ({ identity: IDENTITY }) };
    await edge.send('GET /oauth2/authorize?prompt=none', { headers: { cookie } });
    expect(charged(edge.peers)).toEqual([['oauth:authorize ip:127.0.0.1']]);
    expect(steps(edge)).toEqual(['check', 'identifyBrowserSession', 'authorize']);
    edge.peers.reset();
    await edge.send(RESUME, { headers: { cookie, origin: ORIGIN } });
    expect(charged(edge.peers)).toEqual([['global ip:127.0.0.1']]);
  });
});

describe('GET /oauth2/authorize', () => {
  const edge = useEdge({ config: { web_app_url: ORIGIN } });
  const authorize = async (headers: Record<string, string | string[]>) => {
    edge.peers.reset();
    edge.peers.answers.auth = {
      identifyBrowserSession: ({ secret }) => ({ identity: secret === SECRET ? IDENTITY : undefined }),
    };
    expect((await edge.send('GET /oauth2/authorize?prompt=none', { headers })).status).toBe(302);
    const { kind, account_id } = edge.peers.calls.at(-1)?.call.caller ?? {};
    return [kind, account_id];
  };
  const nobody = [CallerKind.CALLER_KIND_UNSPECIFIED, ''];
  const ann = [CallerKind.CALLER_KIND_SESSION, '1001'];

  it('acts for the session of the cookie', async () => {
    expect(await authorize({ cookie })).toEqual(ann);
    expect(await authorize({ cookie: [`a=b`, cookie] })).toEqual(ann);
    expect(await authorize({ cookie: `${NAME}=${'B'.repeat(43)}` })).toEqual(nobody);
    expect(await authorize({ cookie: [cookie, cookie] })).toEqual(nobody);
    expect(await authorize({})).toEqual(nobody);
  });

  it('does not read it beside an Authorization header', async () => {
    expect(await authorize({ cookie, authorization: 'Bearer  broken' })).toEqual(nobody);
    expect(await authorize({ cookie, authorization: `Bearer gth_${'x'.repeat(36)}` })).toEqual(nobody);
    expect(await authorize({ cookie, ...bearer })).toEqual(ann);
    expect(steps(edge)).not.toContain('identifyBrowserSession');
  });
});

describe('the cookie’s own routes', () => {
  const edge = useEdge({ config: { web_app_url: ORIGIN } });
  const answerOf = async (line: string, headers: Record<string, string>, body?: object) => {
    edge.peers.answers.auth = {
      createBrowserSession: ({ stay_signed_in }) => ({
        cookie: { secret: SECRET, max_age_seconds: stay_signed_in ? 60 : undefined },
      }),
    };
    const {
      status,
      headers: sent,
      text,
    } = await edge.send(line, {
      headers,
      ...(body !== undefined && { body }),
    });
    return { status, set: sent.get('set-cookie'), text };
  };

  it('sets it, for the session of the header and not of the body', async () => {
    const set = `${cookie}; Path=/; HttpOnly; SameSite=Lax; Secure`;
    const line = 'POST /auth/browser-session';
    expect(await answerOf(line, bearer)).toEqual({ status: 204, set, text: '' });
    expect(lastRequest(edge)).toMatchObject({ token: SESSION });
    const kept = await answerOf(line, { ...bearer, origin: ORIGIN }, { stay_signed_in: true, token: 'x' });
    expect(kept).toEqual({ status: 204, set: `${set}; Max-Age=60`, text: '' });
    expect(lastRequest(edge)).toEqual({ token: SESSION, stay_signed_in: true });
    expect(await answerOf(line, {})).toMatchObject({ status: 401, set: null });
    expect(await answerOf(line, bearer, { stay_signed_in: 'x' })).toMatchObject({ status: 400, set: null });
  });

  it('clears it, with and without a session', async () => {
    const set = `${NAME}=; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=0`;
    for (const headers of [{}, bearer, { origin: ORIGIN, authorization: 'Bearer x' }])
      expect(await answerOf('DELETE /auth/browser-session', headers)).toEqual({ status: 204, set, text: '' });
  });

  it.each([
    'https://evil.example',
    'null',
    `${ORIGIN}.evil.example`,
    `${ORIGIN}:444`,
    'http://chat.example.com',
    '',
  ])('neither sets nor clears it for a page of %j', async (origin) => {
    for (const verb of ['POST', 'DELETE']) {
      edge.peers.reset();
      const answer = await answerOf(`${verb} /auth/browser-session`, { ...bearer, cookie, origin });
      expect(answer).toMatchObject({ status: 403, set: null });
      expect(answer.text).toContain('Only pages of the web app');
      expect(steps(edge)).toEqual(['identify', 'check']);
    }
  });

  it('resumes for pages of the web app only', async () => {
    const page = { cookie, origin: ORIGIN };
    for (const max_age_seconds of [60, undefined]) {
      edge.peers.answers.auth = {
        resumeBrowserSession: ({ secret }) => ({
          session,
          cookie: max_age_seconds === undefined ? undefined : { secret, max_age_seconds },
        }),
      };
      const { headers, ...answer } = await edge.send(RESUME, { headers: page });
      expect(answer.json()).toEqual(session);
      const renewed = `${cookie}; Path=/; HttpOnly; SameSite=Lax; Secure; Max-Age=60`;
      expect(headers.get('set-cookie')).toBe(max_age_seconds === undefined ? null : renewed);
      expect(lastRequest(edge)).toEqual({ secret: SECRET });
    }
    edge.peers.reset();
    for (const headers of [
      { cookie },
      { origin: ORIGIN },
      { ...bearer, origin: ORIGIN },
      { cookie, origin: 'https://evil.example' },
      { cookie, origin: 'null' },
      { cookie: `${cookie}; ${cookie}`, origin: ORIGIN },
    ])
      expect(await answerOf(RESUME, headers)).toMatchObject({ status: 401, set: null });
    expect(steps(edge)).not.toContain('resumeBrowserSession');
  });
});
