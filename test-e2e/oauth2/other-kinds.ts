import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../support/api.ts';
import { expectError } from '../support/expect-error.ts';
import { bodyOf } from '../support/expect-status.ts';
import { tokensMailed } from '../support/mail.ts';
import { freshAddress, newWebhook } from '../support/people.ts';
import type { TestStack } from '../support/stack.ts';
import { credentialsOf, exchange, expectOauthError, postForm, type TokenPair } from './calls.ts';
import { newCode, newOauthClient, type OauthClient, REDIRECT_URI } from './consent.ts';
import { grantTokens } from './grant-tokens.ts';

/** Credentials of every kind, each used in place of another. */
export function otherKinds(stack: TestStack): void {
  let client: OauthClient;
  let pair: TokenPair;
  let code: string;
  /** Values that are not access tokens, refresh tokens or codes. */
  let others: Record<string, string>;
  beforeAll(async () => {
    client = await newOauthClient(stack.api);
    pair = await grantTokens(stack.api, client);
    code = await newCode(client);
    const { person, application, client_id, client_secret } = client;
    await stack.api.from(freshAddress()).post('/auth/forgot', { email: person.email });
    const [mail = ''] = await tokensMailed(stack.data_dir, person.email, 'reset');
    const { webhook } = await newWebhook(stack.api);
    others = {
      session: person.token,
      bot: application.bot.token,
      'secret of the bot': application.bot.token.split('.')[1] ?? '',
      webhook: webhook.token,
      mail,
      'client secret': client_secret,
      'client ID': client_id,
      'user ID': person.user.id,
      'ended token': await ended(),
      nothing: '',
      blank: ' ',
      zero: '\0',
      long: 'x'.repeat(10_000),
      unknown: 'A'.repeat(43),
    };
  });

  const ended = async (): Promise<string> => {
    const other = await newOauthClient(stack.api);
    const { access_token } = await grantTokens(stack.api, other);
    await revoke({ token: access_token }, other);
    return access_token;
  };
  const introspect = async (token: string, by = client): Promise<unknown> =>
    bodyOf(await postForm(stack.api, '/oauth2/introspect', { ...credentialsOf(by), token }));
  const revoke = (members: Record<string, string>, by = client) =>
    postForm(stack.api, '/oauth2/token/revoke', { ...credentialsOf(by), ...members });
  const everythingElse = () => Object.values(others);

  const expectAllLive = async () => {
    for (const token of [pair.access_token, pair.refresh_token])
      expect(await introspect(token)).toMatchObject({ active: true, client_id: client.client_id });
    expect((await client.person.api.get('/users/@me')).status).toBe(200);
    const bot = stack.api.as(`Bot ${client.application.bot.token}`);
    expect((await bot.get('/users/@me')).status).toBe(200);
  };

  describe('a value that is not an OAuth2 token', () => {
    it('is inactive at introspection', async () => {
      const inactive = [...everythingElse(), code].filter((one) => one !== '');
      for (const token of inactive) {
        const known = { ...credentialsOf(client), token };
        const reply = await postForm(stack.api, '/oauth2/introspect', known);
        // A NUL byte may be refused before the lookup.
        if (token.includes('\0') && reply.status === 400) expectOauthError(reply, 400, 'invalid_request');
        else expect([token.slice(0, 60), reply.text]).toEqual([token.slice(0, 60), '{"active":false}']);
      }
      const known = credentialsOf(client);
      const missing = await postForm(stack.api, '/oauth2/introspect', known);
      expectOauthError(missing, 400, 'invalid_request');
      await expectAllLive();
    });

    it('revokes nothing', async () => {
      const unmatched = [...everythingElse(), code].filter((one) => one !== '' && !one.includes('\0'));
      for (const token of unmatched)
        for (const hint of [{}, { token_type_hint: 'refresh_token' }, { token_type_hint: 'access_token' }]) {
          const reply = await revoke({ token, ...hint });
          expect([token.slice(0, 60), reply.status, reply.text]).toEqual([token.slice(0, 60), 200, '']);
        }
      const byHint = [
        { token: pair.refresh_token },
        { token: pair.refresh_token, token_type_hint: 'access_token' },
        { token: pair.access_token, token_type_hint: 'refresh_token' },
      ];
      for (const members of byHint) expect((await revoke(members)).status).toBe(200);
      const other = await newOauthClient(stack.api);
      for (const token of [pair.access_token, pair.refresh_token])
        for (const hint of [{}, { token_type_hint: 'refresh_token' }])
          expect((await revoke({ token, ...hint }, other)).status).toBe(200);
      await expectAllLive();
      expect(await introspect(pair.access_token, other), 'any client may introspect').toMatchObject({
        active: true,
      });
    });

    it('is not accepted as a code or refresh token, nor one in place of the other', async () => {
      const redirect_uri = REDIRECT_URI;
      const codes = [...everythingElse(), pair.access_token, pair.refresh_token];
      for (const wrong of codes)
        expectOauthError(
          await exchange(stack.api, client, { code: wrong, redirect_uri }),
          400,
          'invalid_grant',
        );
      for (const wrong of [...codes, code].filter((one) => one !== pair.refresh_token))
        expectOauthError(
          await exchange(stack.api, client, { grant_type: 'refresh_token', refresh_token: wrong }),
          400,
          'invalid_grant',
        );
      const other = await newOauthClient(stack.api);
      const foreign = [
        { code, redirect_uri },
        { grant_type: 'refresh_token', refresh_token: pair.refresh_token },
      ];
      for (const form of foreign)
        expectOauthError(await exchange(stack.api, other, form), 400, 'invalid_grant');
      await expectAllLive();
      bodyOf(await exchange(stack.api, client, { code, redirect_uri }));
    });

    it('is not accepted by userinfo and @me', async () => {
      const get = (path: string, credential: string) =>
        stack.api.from(freshAddress()).as(credential).get(path);
      const printable = [...everythingElse(), pair.refresh_token, await newCode(client)].filter(
        (one) => /^[!-~]+$/.test(one) && one !== pair.access_token,
      );
      for (const path of ['/oauth2/userinfo', '/oauth2/@me']) {
        const none = await stack.api.from(freshAddress()).get(path);
        expectOauthError(none, 401, 'invalid_token');
        for (const wrong of printable)
          for (const form of [`Bearer ${wrong}`, `Bot ${wrong}`, wrong]) {
            const reply = await get(path, form);
            expect([form.slice(0, 60), reply.status, reply.text]).toEqual([
              form.slice(0, 60),
              401,
              none.text,
            ]);
          }
        const { access_token } = pair;
        const forms = [
          access_token,
          `bearer ${access_token}`,
          `Bearer  ${access_token}`,
          `Bot ${access_token}`,
          `Basic ${btoa(`x:${access_token}`)}`,
        ];
        for (const form of forms) expectOauthError(await get(path, form), 401, 'invalid_token');
        bodyOf(await get(path, `Bearer ${access_token}`));
        const inQuery = await stack.api
          .from(freshAddress())
          .get(`${path}?access_token=${access_token}&token=${access_token}`);
        expectOauthError(inQuery, 401, 'invalid_token');
      }
    });

    it('is not accepted as a session by consent and the authorization routes', async () => {
      const calls: [string, string, object?][] = [
        ['POST', '/oauth2/authorize/consent', { client_id: client.client_id, scope: 'x' }],
        ['POST', '/oauth2/authorize/refuse', { client_id: client.client_id }],
        ['GET', '/oauth2/@me/authorizations'],
        ['DELETE', `/oauth2/@me/authorizations/${client.client_id}`],
        ['POST', '/oauth2/@me/authorizations/revoke', { application_ids: [client.client_id] }],
      ];
      const send = ([method, path, body]: (typeof calls)[number], credential: string): Promise<Reply> =>
        stack.api
          .from(freshAddress())
          .as(credential)
          .send(method, path, body === undefined ? {} : { body });
      const { session: _, ...dead } = others;
      const none = [...Object.values(dead), pair.refresh_token, await newCode(client)];
      for (const call of calls) {
        for (const live of [`Bearer ${pair.access_token}`, `Bot ${client.application.bot.token}`])
          expectError(await send(call, live), 403, 'ACCESS_DENIED');
        for (const wrong of none.filter((one) => /^[!-~]+$/.test(one)))
          expectError(await send(call, `Bearer ${wrong}`), 401, 'UNAUTHORIZED');
      }
      await expectAllLive();
    });
  });
}
