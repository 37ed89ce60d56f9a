import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ROUTES } from '../../src/routes/index.ts';
import { useEdge } from '../support/edge.ts';
import type { SendOptions } from '../support/http.ts';
import { BOT, charged, SECOND_SESSION, SESSION } from '../support/peers.ts';
import { KEYED, routeFor } from '../support/routes.ts';

const IP = 'ip:127.0.0.1';
const session = { headers: { authorization: `Bearer ${SESSION}` } };
const garbage = { headers: { authorization: 'garbage' } };
const hash = (text: string) => createHash('sha256').update(text).digest('base64url');

describe('the charges of a request', () => {
  const edge = useEdge({
    config: { trusted_proxies: ['127.0.0.1'] },
    routes: [
      ...ROUTES,
      ...KEYED.map(([bucket, path]) => routeFor(bucket, `/of${path}`)),
      routeFor('invite:list', '/of/channels/{channel_id}/invites'),
      routeFor('invite:list', '/of/guilds/{guild_id}/invites'),
      routeFor(['oauth:introspect', 'client'], '/by/client'),
      routeFor(['oauth:introspect', 'ip'], '/by/ip'),
      routeFor(['oauth:introspect', 'account'], '/by/account'),
      routeFor('oauth_dev:clients:list', '/by/account-or-client'),
    ],
  });

  async function charge(line: string, options?: SendOptions): Promise<string[][]> {
    edge.peers.reset();
    await edge.send(line, options);
    return charged(edge.peers);
  }

  it('are the global bucket as a set of its own, then the route’s buckets as one set', async () => {
    expect(await charge('POST /guilds', session)).toEqual([
      ['global credential:1:9001'],
      ['guild:create account:1001'],
    ]);
    const body = { email: 'ann@example.com' };
    expect(await charge('POST /auth/register', { body })).toEqual([
      [`global ${IP}`],
      [
        `auth:register ${IP}`,
        'registration:email ann@example.com',
        `registration:ip ${IP}`,
        'registration:subnet subnet:127.0.0.0/24',
      ],
    ]);
    expect(edge.peers.calls[0]?.request).toMatchObject({ sets: [{ charges: [{ bucket: 'global' }] }, {}] });
  });

  describe('of the global bucket', () => {
    const isGlobal = async (line: string, options?: SendOptions) =>
      (await charge(line, options)).some((set) => set.some((text) => text.startsWith('global ')));

    it.each(['GET', 'HEAD'])('exempts %s without an Authorization header, matched or not', async (verb) => {
      expect(await charge(`${verb} /webhooks/41/tok`)).toEqual([['webhook:read webhook:41']]);
      expect(await charge(`${verb} /users/@me`)).toEqual([[`user:settings:get ${IP}`]]);
      expect(await charge(`${verb} /nothing/here`)).toEqual([]);
    });

    it.each(['GET', 'HEAD'])('counts %s with any Authorization header, even an empty one', async (verb) => {
      for (const authorization of [`Bearer ${SESSION}`, 'garbage', 'Bearer gth_dead', '']) {
        for (const path of ['/webhooks/41/tok', '/users/@me', '/nothing/here']) {
          expect(await isGlobal(`${verb} ${path}`, { headers: { authorization } }), path).toBe(true);
        }
      }
    });

    it.each([
      ['POST /webhooks/41/tok', 'webhook:execute'],
      ['POST /webhooks/41/tok?wait=true', 'webhook:execute'],
      ['POST /webhooks/41/tok/chatcompat', 'webhook:execute'],
      ['POST /webhooks/41/tok/codehost', 'webhook:codehost'],
      ['POST /webhooks/41/tok/statuspage', 'webhook:statuspage'],
      ['GET /webhooks/41/tok/messages/31', 'webhook:message_get'],
    ])('exempts %s, with a credential and without', async (line, bucket) => {
      for (const options of [{}, session, garbage]) {
        expect(await charge(line, options)).toEqual([[`${bucket} webhook:41`]]);
      }
    });

    it('exempts OPTIONS', async () => {
      for (const path of ['/guilds', '/webhooks/41/tok', '/nothing/here']) {
        expect(await charge(`OPTIONS ${path}`, session)).toEqual([]);
        const preflight = { origin: 'https://a.example', 'access-control-request-method': 'POST' };
        expect(await charge(`OPTIONS ${path}`, { headers: preflight })).toEqual([]);
      }
    });

    it('counts everything else, other webhook routes and unmatched ones too', async () => {
      for (const line of [
        'POST /guilds',
        'POST /channels/1/webhooks',
        'POST /auth/login',
        'POST /auth/logout',
      ])
        expect(await isGlobal(line), line).toBe(true);
      for (const line of ['POST /nothing/here', 'DELETE /guilds', 'PUT /', 'PROPFIND /guilds'])
        expect(await charge(line), line).toEqual([[`global ${IP}`]]);
      expect(await charge('POST /nothing/here', session)).toEqual([['global credential:1:9001']]);
    });

    it('counts nothing outside /api/v1', async () => {
      for (const line of [
        'POST //',
        'POST //livez',
        'GET //livez',
        'POST //api',
        'POST //api/v10/x',
        'GET //readyz',
      ])
        expect(await charge(line, session), line).toEqual([]);
    });
  });

  describe('as an identity', () => {
    it('is by session: two sessions of one account are two clients and one account', async () => {
      const second = { headers: { authorization: SECOND_SESSION } };
      expect(await charge('POST /by/client', session)).toContainEqual(['oauth:introspect credential:1:9001']);
      expect(await charge('POST /by/client', second)).toContainEqual(['oauth:introspect credential:1:9002']);
      expect(await charge('POST /guilds', second)).toEqual([
        ['global credential:1:9002'],
        ['guild:create account:1001'],
      ]);
      expect(await charge('POST /guilds', { headers: { authorization: `Bot ${BOT}` } })).toEqual([
        ['global credential:2:9003'],
        ['guild:create account:2001'],
      ]);
    });

    it.each(['garbage', `Bearer gth_${'A'.repeat(36)}`, 'Bot 1.x', '', `Bearer  ${SESSION}`])(
      'is the address when the header ("%s") carries no live credential',
      async (authorization) => {
        const options = { headers: { authorization } };
        expect(await charge('POST /guilds', options)).toEqual([[`global ${IP}`], [`guild:create ${IP}`]]);
        expect(await charge('POST /by/client', options)).toEqual([
          [`global ${IP}`],
          [`oauth:introspect ${IP}`],
        ]);
      },
    );

    it('is the one that the route chooses, if the reference has a choice', async () => {
      expect((await charge('POST /by/client', session))[1]).toEqual(['oauth:introspect credential:1:9001']);
      expect((await charge('POST /by/ip', session))[1]).toEqual([`oauth:introspect ${IP}`]);
      expect((await charge('POST /by/account', session))[1]).toEqual(['oauth:introspect account:1001']);
      expect((await charge('POST /by/account'))[1]).toEqual([`oauth:introspect ${IP}`]);
      expect((await charge('POST /by/account-or-client', session))[1]).toEqual([
        'oauth_dev:clients:list account:1001',
      ]);
      expect((await charge('POST /by/account-or-client'))[1]).toEqual([`oauth_dev:clients:list ${IP}`]);
    });

    it('is a digest for codes, and each resource by its kind', async () => {
      const own: string[] = [];
      for (const [, , path] of KEYED) own.push(...((await charge(`POST /of${path}`, session))[1] ?? []));
      expect(own).toEqual([
        'channel:read account:1001 channel:7',
        'guild:read account:1001 guild:7',
        'webhook:read webhook:7',
        'oauth_dev:clients:update application:7',
        'stream:preview:post stream:7',
        'user:read credential:1:9001 user:7',
        `invite:read credential:1:9001 invite:malformed:${hash('abc')}`,
      ]);
      expect((await charge('POST /of/channels/7/invites'))[1]).toEqual([`invite:list ${IP} channel:7`]);
      expect((await charge('POST /of/guilds/7/invites'))[1]).toEqual([`invite:list ${IP} guild:7`]);
    });

    it('of a resource is shared by all callers if the key is the resource alone', async () => {
      const execute = 'POST /webhooks/41/tok';
      const from = (address: string) => ({ headers: { 'x-forwarded-for': address } });
      expect(await charge(execute, from('192.0.2.1'))).toEqual(await charge(execute, from('198.51.100.1')));
      expect(await charge('POST /webhooks/41/other')).toEqual(await charge(execute, session));
    });

    it.each(['0x29', '041', '', ' 41', '41\0', '-1', '9223372036854775808', '9'.repeat(50_000)])(
      'counts a malformed ID (%#) by a digest of bounded length',
      async (id) => {
        const [[first = ''] = []] = await charge(`POST /webhooks/${encodeURIComponent(id)}/tok`);
        if (id === '') return; // an empty part of a path matches no route
        expect(first).toBe(`webhook:execute webhook:malformed:${hash(id)}`);
      },
    );
  });

  describe('from an address', () => {
    const by = async (address: string) => {
      const body = { email: 7 };
      const options = { headers: { 'x-forwarded-for': address }, body };
      const [global, own] = await charge('POST /auth/register', options);
      return { global: global?.[0], ip: own?.[1], subnet: own?.[2] };
    };

    it('counts IPv4 exactly, and its subnet by /24', async () => {
      expect(await by('192.0.2.1')).toEqual({
        global: 'global ip:192.0.2.1',
        ip: 'registration:ip ip:192.0.2.1',
        subnet: 'registration:subnet subnet:192.0.2.0/24',
      });
      expect((await by('192.0.2.255')).subnet).toBe((await by('192.0.2.0')).subnet);
      expect((await by('192.0.3.0')).subnet).not.toBe((await by('192.0.2.0')).subnet);
      expect((await by('192.0.2.2')).ip).not.toBe((await by('192.0.2.1')).ip);
    });

    it('counts IPv6 by /64, and its subnet by /48', async () => {
      expect(await by('2001:db8:1:2:3:4:5:6')).toEqual({
        global: 'global ip:2001:db8:1:2::/64',
        ip: 'registration:ip ip:2001:db8:1:2::/64',
        subnet: 'registration:subnet subnet:2001:db8:1::/48',
      });
      expect(await by('2001:DB8:1:2:ffff::')).toEqual(await by('2001:db8:1:2::1'));
      expect((await by('2001:db8:1:3::1')).ip).not.toBe((await by('2001:db8:1:2::1')).ip);
      expect((await by('2001:db8:1:ffff::')).subnet).toBe((await by('2001:db8:1::')).subnet);
      expect((await by('2001:db8:2::')).subnet).not.toBe((await by('2001:db8:1::')).subnet);
    });

    it.each(['::ffff:192.0.2.1', '::ffff:c000:201', '0:0:0:0:0:FFFF:192.0.2.1'])(
      'counts %s as its IPv4 address',
      async (mapped) => {
        expect(await by(mapped)).toEqual(await by('192.0.2.1'));
      },
    );
  });

  describe('by a submitted e-mail or login name', () => {
    const login = async (body: SendOptions['body']) =>
      (await charge('POST /auth/login', body === undefined ? {} : { body }))[1];
    const name = (email: string) => `auth:login:email ${email}`;

    it('trims and lower-cases it; ratelimit makes the hash', async () => {
      const expected = [`auth:login ${IP}`, name('ann@example.com'), `login:ip ${IP}`];
      for (const email of ['ann@example.com', ' Ann@Example.COM\n', 'ANN@EXAMPLE.COM'])
        expect(await login({ email, password: 'x' })).toEqual(expected);
      expect(await login({ email: 'bob@example.com' })).toContain(name('bob@example.com'));
      expect(await login({ email: 'no address at all' })).toContain(name('no address at all'));
    });

    it('has a digest for identities of more than 512 bytes', async () => {
      for (const email of ['x'.repeat(512), 'é'.repeat(256)])
        expect(await login({ email })).toContain(name(email));
      for (const email of ['x'.repeat(513), 'é'.repeat(257), 'x'.repeat(60_000)])
        expect(await login({ email })).toContain(name(`long:${hash(email)}`));
    });

    it.each<[string, SendOptions['body']]>([
      ['no body', undefined],
      ['an empty body', ''],
      ['broken JSON', '{"email":"a@b.c"'],
      ['an array', ['a@b.c']],
      ['text', '"a@b.c"'],
      ['bytes that are not UTF-8', Buffer.from('{"email":"\xff"}', 'latin1')],
      ['no such member', { password: 'x' }],
      ['a number', { email: 7 }],
      ['null', { email: null }],
      ['an object', { email: { email: 'a@b.c' } }],
      ['nothing but blanks', { email: ' \t\n' }],
      ['an inherited name', { toString: 'a@b.c' }],
    ])('leaves that bucket out for %s, and charges the others', async (_, body) => {
      expect(await login(body)).toEqual([`auth:login ${IP}`, `login:ip ${IP}`]);
    });
  });
});
