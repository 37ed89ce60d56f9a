import { freePort } from '@gatehouse/dev-env/free-port';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { postForm, type TokenPair } from '../oauth2/calls.ts';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from '../oauth2/consent.ts';
import { bodyOf } from '../support/expect-status.ts';
import type { TestStack } from '../support/stack.ts';
import { type ExampleProgram, startExample } from './example-program.ts';

const FOLDER = 'resource-server';

export function resourceServer(stack: TestStack): void {
  describe(`examples/${FOLDER}`, () => {
    let server: ExampleProgram;
    let url: string;
    let client: OauthClient;
    beforeAll(async () => {
      client = await newOauthClient(stack.api);
      const port = String(await freePort());
      url = `http://127.0.0.1:${port}/notes`;
      const { client_id: CLIENT_ID, client_secret: CLIENT_SECRET } = client;
      const env = { GATEHOUSE_URL: stack.url, CLIENT_ID, CLIENT_SECRET, ACCEPTED_CLIENT_IDS: '', PORT: port };
      server = startExample(FOLDER, ['app.ts'], env);
      await server.printed(`GET ${url} takes access tokens`);
    });
    afterAll(() => server.stop());

    async function tokensOf(of: OauthClient, scope: string): Promise<TokenPair> {
      const { client_id, client_secret } = of;
      const code = await newCode(of, { scope });
      const form = { grant_type: 'authorization_code', code, redirect_uri: REDIRECT_URI };
      return bodyOf(await postForm(stack.api, '/oauth2/token', { ...form, client_id, client_secret }));
    }

    async function notes(token?: string) {
      const response = await fetch(url, {
        headers: token === undefined ? {} : { authorization: `Bearer ${token}` },
      });
      return {
        status: response.status,
        body: await response.json(),
        challenge: response.headers.get('www-authenticate'),
      };
    }

    const refused = (status: number, error: string) => ({
      status,
      body: { error },
      challenge: `Bearer error="${error}"`,
    });

    it('answers the user of a token with the scope, until the token is revoked', async () => {
      const { access_token: token } = await tokensOf(client, 'identify');
      const body = { notes: [`A note of ${client.person.user.id}`] };
      expect(await notes(token)).toEqual({ status: 200, body, challenge: null });
      const { client_id, client_secret } = client;
      await postForm(stack.api, '/oauth2/token/revoke', { token, client_id, client_secret });
      expect(await notes(token)).toEqual(refused(401, 'invalid_token'));
    });

    it('refuses other tokens, and those without the scope', async () => {
      const { refresh_token } = await tokensOf(client, 'identify');
      const { access_token: guilds } = await tokensOf(client, 'guilds');
      const { access_token: foreign } = await tokensOf(await newOauthClient(stack.api), 'identify');
      for (const token of [undefined, '', 'x', foreign, refresh_token])
        expect(await notes(token)).toEqual(refused(401, 'invalid_token'));
      expect(await notes(guilds)).toEqual(refused(403, 'insufficient_scope'));
    });

    it('says what is missing', async () => {
      expect(await startExample(FOLDER, ['app.ts'], {}).ended()).toEqual({
        code: 1,
        output: 'Set CLIENT_ID and CLIENT_SECRET to those of your application.\n',
      });
      const CLIENT = { CLIENT_ID: client.client_id, CLIENT_SECRET: 'wrong' };
      const wrong = startExample(FOLDER, ['app.ts'], { GATEHOUSE_URL: stack.url, ...CLIENT });
      expect(await wrong.ended()).toEqual({
        code: 1,
        output: expect.stringContaining('introspection is 401'),
      });
      const away = startExample(FOLDER, ['app.ts'], { GATEHOUSE_URL: 'http://127.0.0.1:9', ...CLIENT });
      expect(await away.ended()).toEqual({
        code: 1,
        output: expect.stringContaining('Gatehouse at http://127.0.0.1:9 does not answer as it should'),
      });
    });
  });
}
