import { beforeAll, describe, expect, it } from 'vitest';
import { expectError } from '../support/expect-error.ts';
import { newcomer, type Person } from '../support/people.ts';
import type { TestSuite } from '../support/suite.ts';
import { codeOf, exchange, expectOauthError, newApplication, type OwnApplication, ok } from './calls.ts';

const PADDED = 'https://client.test/'.padEnd(2048, 'x');

/** By the rule: https, or http to a loopback host; no fragment, no userinfo; at most 2048 characters. */
const ALLOWED = [
  'https://client.test',
  'https://client.test/',
  'https://client.test/cb',
  'https://client.test/cb/',
  'https://client.test/CB',
  'https://CLIENT.test/cb',
  'HTTPS://client.test/cb',
  'https://client.test:443/cb',
  'https://client.test:8443/cb',
  'https://client.test./cb',
  'https://client.test/%63b',
  'https://client.test/%2e%2E/cb',
  'https://client.test/x/../cb',
  'https://client.test//cb',
  'https://client.test/cb?',
  'https://client.test/cb?x=1',
  'https://client.test/cb?x=%31',
  'https://client.test/cb?next=https://other.test/@me',
  'https://client.test/@me',
  'https://192.0.2.1/cb',
  'https://[2001:db8::1]/cb',
  'https://xn--mnchen-3ya.test/cb',
  'http://localhost/cb',
  'http://localhost:3000/cb',
  'http://LOCALHOST/cb',
  'http://127.0.0.1/cb',
  'http://127.0.0.1:80/cb',
  'http://127.0.0.1:65535/cb',
  'http://[::1]/cb',
  PADDED,
];

const REFUSED = [
  '',
  ' ',
  'x',
  'client.test/cb',
  '/cb',
  '//client.test/cb',
  'https:',
  'https:/',
  'https://',
  'https:///',
  'https://?x',
  'https:client.test/cb',
  'https:/client.test/cb',
  'http://client.test/cb',
  'http://localhost.client.test/cb',
  'http://127.0.0.1.client.test/cb',
  'http://xlocalhost/cb',
  'http://localhost@client.test/cb',
  'http://0.0.0.0/cb',
  'http://128.0.0.1/cb',
  'http://192.168.0.1/cb',
  'http://[::2]/cb',
  'http://[::]/cb',
  'https://user@client.test/cb',
  'https://user:password@client.test/cb',
  'https://:password@client.test/cb',
  'https://@client.test/cb',
  'https://:@client.test/cb',
  'https://client.test/cb#',
  'https://client.test/cb#x',
  'https://client.test#@other.test/cb',
  'https://client.test\\cb',
  'https:\\\\client.test\\cb',
  'https://client.test\\@other.test/cb',
  'https://client.test:99999/cb',
  'https://client.test:x/cb',
  'https://[::1/cb',
  'https://%zz/cb',
  'https://cli ent.test/cb',
  'https://client.test/c b',
  ' https://client.test/cb',
  'https://client.test/cb ',
  '\thttps://client.test/cb',
  'https://client.test/c\tb',
  'https://client.test/cb\n',
  'ht\ntps://client.test/cb',
  'https://client.test/cb\0',
  'javascript:alert(1)',
  'javascript://client.test/%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://client.test/cb',
  'ws://localhost/cb',
  'blob:https://client.test/x',
  'view-source:https://client.test/',
  'app.client:/cb',
  'urn:ietf:wg:oauth:2.0:oob',
  `${PADDED}x`,
  `https://client.test/${'x'.repeat(10_000)}`,
];

/** The rule leaves them open: allowed or not, what is stored is what was sent. */
const EITHER = [
  'https://münchen.test/cb',
  'https://client.test/ä',
  'https://client.test/cb?a[]=1',
  'https://client.test/cb?a=|',
  'http://127.1.2.3/cb',
  'http://127.1/cb',
  'http://2130706433/cb',
  'http://0x7f.0.0.1/cb',
  'http://localhost./cb',
  'http://[::ffff:127.0.0.1]/cb',
  'http://[0:0:0:0:0:0:0:1]/cb',
  'https://client.test/%zz',
  'https://client.test:/cb',
];

export function redirectUris(suite: TestSuite): void {
  let owner: Person;
  let application: OwnApplication;
  beforeAll(async () => {
    owner = await newcomer(suite.api);
    application = await newApplication(owner, { redirect_uris: ['https://client.test/kept'] });
  });

  const patch = (redirect_uris: unknown) =>
    owner.api.send('PATCH', `/oauth2/applications/${application.id}`, { body: { redirect_uris } });
  const stored = async () =>
    ok<OwnApplication>(await owner.api.get(`/oauth2/applications/${application.id}`)).redirect_uris;

  describe('a redirect URI', () => {
    it('that the rule allows is stored as the exact string', async () => {
      for (const uri of ALLOWED) {
        const reply = await patch([uri]);
        expect([uri, reply.status], reply.text).toEqual([uri, 200]);
        expect(reply.json<OwnApplication>().redirect_uris).toEqual([uri]);
        expect(await stored()).toEqual([uri]);
      }
      for (const uri of EITHER) {
        const reply = await patch([uri]);
        expect([uri, reply.status]).toEqual([uri, expect.toSatisfy((status) => [200, 400].includes(status))]);
        if (reply.status === 200) expect(reply.json<OwnApplication>().redirect_uris).toEqual([uri]);
      }
      await patch(['https://client.test/kept']);
    });

    it('that the rule does not allow is refused by creation and by change, which then change nothing', async () => {
      for (const uri of REFUSED) {
        const good = 'https://client.test/good';
        const created = { name: 'x', redirect_uris: [good, uri] };
        for (const reply of [
          await patch([good, uri]),
          await owner.api.post('/oauth2/applications', created),
        ]) {
          expect([uri.slice(0, 60), reply.status], reply.text).toEqual([uri.slice(0, 60), 400]);
          const { errors = [] } = expectError(reply, 400, 'INVALID_FORM_BODY');
          expect(errors.map(({ path }) => path)).toEqual(['redirect_uris.1']);
        }
        expect(await stored()).toEqual(['https://client.test/kept']);
      }
      for (const wrong of ['https://client.test/cb', {}, 5, [5], [null], [['https://client.test/']]])
        expectError(await patch(wrong), 400, 'INVALID_FORM_BODY');
      expect(await stored()).toEqual(['https://client.test/kept']);
    });

    it('comes with at most nine others', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, n) => `https://client.test/${n}`);
      const ten = ok<OwnApplication>(await patch(many(10)));
      expect(ten.redirect_uris).toEqual(many(10));
      for (const count of [11, 1_000]) expectError(await patch(many(count)), 400, 'INVALID_FORM_BODY');
      expect(await stored()).toEqual(many(10));
      const doubled = await patch(['https://client.test/a', 'https://client.test/a']);
      expect([200, 400]).toContain(doubled.status);
      expect(ok<OwnApplication>(await patch([])).redirect_uris).toEqual([]);
    });

    it('is no other string at consent, and none at the token route', async () => {
      const chunks = Array.from({ length: 3 }, (_, n) => ALLOWED.slice(n * 10, n * 10 + 10));
      for (const registered of chunks) {
        const client = await newApplication(owner, { redirect_uris: registered });
        const about = { client_id: client.id, client_secret: client.client_secret };
        for (const [index, redirect_uri] of ALLOWED.entries()) {
          const body = { client_id: client.id, scope: 'identify', redirect_uri };
          const reply = await owner.api.post('/oauth2/authorize/consent', body);
          if (!registered.includes(redirect_uri)) {
            expectOauthError(reply, 400, 'invalid_redirect_uri');
            continue;
          }
          const code = codeOf(reply);
          const near = [
            ALLOWED[index - 1],
            ALLOWED[index + 1],
            `${redirect_uri}/`,
            redirect_uri.slice(0, -1),
          ];
          for (const other of [...near, redirect_uri.toUpperCase(), '', new URL(`${redirect_uri}#`).href])
            expectOauthError(
              await exchange(suite.api, about, { code, redirect_uri: other ?? 'x' }),
              400,
              'invalid_grant',
            );
          ok(await exchange(suite.api, about, { code, redirect_uri }));
        }
      }
    });

    it('that is taken away leads nowhere any more, though its codes stay good', async () => {
      const [first, second] = ['https://client.test/1', 'https://client.test/2'];
      const client = await newApplication(owner, { redirect_uris: [first, second] });
      const consent = (redirect_uri: string | undefined) =>
        owner.api.post('/oauth2/authorize/consent', {
          client_id: client.id,
          scope: 'identify',
          redirect_uri,
        });
      const code = codeOf(await consent(first));
      const path = `/oauth2/applications/${client.id}`;
      ok(await owner.api.send('PATCH', path, { body: { redirect_uris: [second] } }));
      expectOauthError(await consent(first), 400, 'invalid_redirect_uri');
      codeOf(await consent(second));
      const about = { client_id: client.id, client_secret: client.client_secret };
      ok(await exchange(suite.api, about, { code, redirect_uri: 'https://client.test/1' }));
    });
  });
}
