import { freePort } from '@gatehouse/dev-env/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { consent, newOauthClient, type OauthClient, refuseConsent } from '../oauth2/consent.ts';
import type { TestStack } from '../support/stack.ts';
import { type ExampleProgram, startExample } from './example-program.ts';

const FOLDER = 'sign-in-fastify';

export function signInFastify(stack: TestStack): void {
  describe(`examples/${FOLDER}`, () => {
    let app: ExampleProgram;
    let url: string;
    let client: OauthClient;
    beforeAll(async () => {
      const port = await freePort();
      url = `http://127.0.0.1:${port}`;
      client = await newOauthClient(stack.api, { redirect_uris: [`${url}/callback`] });
      const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = client;
      const env = { GATEHOUSE_URL: stack.url, CLIENT_ID, CLIENT_SECRET, PORT: String(port) };
      app = startExample(FOLDER, ['app.ts'], env);
      await app.printed(`Open ${url} and sign in.`);
    });
    afterAll(() => app.stop());

    /** A request of a browser with its cookie. */
    async function get(target: string | URL, cookie = '') {
      const response = await fetch(new URL(target, url), { redirect: 'manual', headers: { cookie } });
      const given = response.headers.get('set-cookie')?.split(';')[0];
      return {
        status: response.status,
        text: await response.text(),
        location: response.headers.get('location') ?? '',
        cookie: given ?? cookie,
      };
    }

    it('signs a user in, with a new cookie', async () => {
      expect((await get('/')).text).toContain('Sign in');
      const begun = await get('/sign-in');
      const callback = await consent(client.person, begun.location);
      const back = await get(callback, begun.cookie);
      expect([back.status, back.location]).toEqual([302, '/']);
      expect(back.cookie).not.toBe(begun.cookie);
      expect((await get('/', back.cookie)).text).toContain(`Signed in as ${client.person.user.username}`);
      expect((await get('/', begun.cookie)).text).toContain('Sign in');
    });

    it('signs nobody in with another state, without a session, or after a refusal', async () => {
      const begun = await get('/sign-in');
      const callback = await consent(client.person, begun.location);
      expect((await get(callback)).text).toBe('The sign-in has expired. Start again.');
      callback.searchParams.set('state', 'other');
      const forged = await get(callback, begun.cookie);
      expect([forged.status, forged.text]).toEqual([400, expect.stringContaining('The sign-in failed:')]);
      const second = await get('/sign-in');
      const refused = await get(await refuseConsent(client.person, second.location), second.cookie);
      expect(refused.status).toBe(400);
      expect((await get('/', second.cookie)).text).toContain('Sign in');
    });

    it('says what is missing', async () => {
      const CLIENT = { CLIENT_ID: '1', CLIENT_SECRET: 'x' };
      expect(await startExample(FOLDER, ['app.ts'], {}).ended()).toEqual({
        code: 1,
        output: 'Set CLIENT_ID and CLIENT_SECRET to those of your application.\n',
      });
      const away = { GATEHOUSE_URL: 'http://127.0.0.1:9', ...CLIENT };
      expect(await startExample(FOLDER, ['app.ts'], away).ended()).toEqual({
        code: 1,
        output: expect.stringMatching(/^Gatehouse does not answer at http:\/\/127\.0\.0\.1:9: .*\n$/),
      });
    });
  });
}
