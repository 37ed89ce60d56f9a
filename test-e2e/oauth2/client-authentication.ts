import { beforeAll, describe, expect, it } from 'vitest';
import type { Reply } from '../support/api.ts';
import { freshAddress } from '../support/people.ts';
import { raw, request } from '../support/raw.ts';
import type { TestSuite } from '../support/suite.ts';
import { credentialsOf, expectOauthError, FORM, ok, postForm } from './calls.ts';
import { newOauthClient, type OauthClient } from './consent.ts';

type Members = Readonly<Record<string, string>>;

const ROUTES = ['/oauth2/token', '/oauth2/introspect', '/oauth2/token/revoke'] as const;

/** How the three routes that authenticate a client take what is no client, and what is one in odd words. */
export function clientAuthentication(suite: TestSuite): void {
  let client: OauthClient;
  beforeAll(async () => {
    client = await newOauthClient(suite.api);
  });

  const base64 = (text: string | Uint8Array) => Buffer.from(text).toString('base64');
  const basic = (text: string | Uint8Array) => ({ authorization: `Basic ${base64(text)}` });
  const percent = (text: string) =>
    [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

  describe.each(ROUTES)('client authentication at %s', (path) => {
    const post = (members: Members, headers: Members = {}) =>
      postForm(suite.api, path, { token: 'x', grant_type: 'refresh_token', ...members }, headers);
    const expectKnown = (reply: Reply, what: string) => {
      if (path !== '/oauth2/token') expect([what, reply.status], reply.text).toEqual([what, 200]);
      else expectOauthError(reply, 400, 'invalid_grant');
    };

    it('refuses what is no application of this name, by form and by Basic', async () => {
      const { client_id: id, client_secret, owner } = client;
      const wrongs = [
        '',
        ' ',
        'abc',
        '0x1f',
        `0x${BigInt(id).toString(16)}`,
        `0${id}`,
        `00000${id}`,
        ` ${id}`,
        `${id} `,
        `${id}\n`,
        `+${id}`,
        `-${id}`,
        `${id}.0`,
        `${id}e0`,
        `${id}\0`,
        `${id},${id}`,
        '0',
        '1',
        '-1',
        '9223372036854775807',
        '9223372036854775808',
        '18446744073709551616',
        '１２３',
        '1'.repeat(10_000),
        owner.user.id,
        client_secret,
        "1' OR '1'='1",
      ];
      for (const wrong of wrongs) {
        expectOauthError(await post({ client_id: wrong, client_secret }), 400, 'invalid_client');
        const encoded = `${encodeURIComponent(wrong)}:${client_secret}`;
        expectOauthError(await post({}, basic(encoded)), 400, 'invalid_client');
        expectOauthError(await post({ client_id: wrong }), 400, 'invalid_client');
      }
    });

    it('refuses what is not its secret, by form and by Basic', async () => {
      const { client_id, client_secret: secret, application, person } = client;
      const wrongs = [
        ' ',
        'x',
        `${secret} `,
        ` ${secret}`,
        `${secret}=`,
        `${secret}\0`,
        `${secret}:`,
        `:${secret}`,
        `a:b`,
        percent(secret),
        secret.slice(0, -1),
        `${secret}A`,
        secret.toUpperCase() === secret ? secret.toLowerCase() : secret.toUpperCase(),
        sibling(secret),
        application.bot.token,
        application.bot.token.split('.')[1] ?? '',
        person.token,
        client_id,
        'x'.repeat(10_000),
        "' OR '1'='1",
        '\u{1f600}',
      ];
      for (const wrong of wrongs) {
        const byForm = await post({ client_id, client_secret: wrong });
        expectOauthError(byForm, 401, 'invalid_client_secret');
        const byBasic = await post({}, basic(`${client_id}:${encodeURIComponent(wrong)}`));
        expectOauthError(byBasic, 401, 'invalid_client_secret');
      }
      expectOauthError(await post({}, basic(`${client_id}:a:b`)), 401, 'invalid_client_secret');
      const colon = basic(`${client_id}:${secret}:`);
      expectOauthError(await post({}, colon), 401, 'invalid_client_secret');
      expectOauthError(await post({ client_id }), 400, 'invalid_request');
    });

    it('decodes percent signs in Basic, and not twice', async () => {
      const { client_id, client_secret } = client;
      const pair = `${percent(client_id)}:${percent(client_secret)}`;
      for (const text of [
        `${client_id}:${client_secret}`,
        pair,
        pair.replace(/[a-f]/g, (c) => c.toUpperCase()),
      ])
        expectKnown(await post({}, basic(text)), text);
      const twice = `${client_id}:${percent(percent(client_secret))}`;
      expectOauthError(await post({}, basic(twice)), 401, 'invalid_client_secret');
      const hidden = `${client_id}%3A${client_secret}`;
      expectOauthError(await post({}, basic(hidden)), 400, 'invalid_client');
      expectOauthError(await post({}, basic(`${hidden}:`)), 400, 'invalid_client');
    });

    it('counts every malformed Basic as none', async () => {
      const { client_id, client_secret, person } = client;
      const pair = `${client_id}:${client_secret}`;
      const good = base64(pair);
      const malformed = [
        'Basic',
        'Basic =',
        'Basic ====',
        'Basic :',
        `Basic  ${good}`,
        `Basic\t${good}`,
        `Basic:${good}`,
        `Basic ${good} ${good}`,
        `Basic ${good},`,
        `Basic ${good};q=1`,
        `Basic "${good}"`,
        `Basic realm="x", ${good}`,
        `Basic ${pair}`,
        `Basic !!!!${good}`,
        `Basic ${good}!`,
        `Basic ${base64(client_id)}`,
        `Basic ${base64('')}`,
        `Basic ${base64(`${client_id}:%zz`)}`,
        `Basic ${base64(`${client_id}:%`)}`,
        `Basic ${base64(`%${pair}`)}`,
        `Basic ${base64(`${client_id}:%ff`)}`,
        `Basic Basic ${good}`,
        good,
        `Negotiate ${good}`,
        `Digest ${good}`,
        `Bearer ${good}`,
        `Bearer ${person.token}`,
        `Basic ${'A'.repeat(10_000)}`,
      ];
      for (const authorization of malformed) {
        const alone = await post({}, { authorization });
        expect([authorization, alone.status], alone.text).toEqual([authorization, 400]);
        expectOauthError(alone, 400, 'invalid_client');
        expectKnown(await post(credentialsOf(client), { authorization }), authorization);
      }
      // Bytes that are no UTF-8: no Basic, or a wrong secret.
      const bytes = await post({}, basic(Buffer.concat([Buffer.from(pair), Buffer.of(0xff, 0xfe)])));
      expect(['INVALID_CLIENT', 'INVALID_CLIENT_SECRET']).toContain(bytes.json<{ code: string }>().code);
    });

    it('lets each form field win over its Basic twin', async () => {
      const { client_id, client_secret } = client;
      const right = basic(`${client_id}:${client_secret}`);
      expectKnown(await post(credentialsOf(client), basic('1:x')), 'both by form');
      expectKnown(await post({ client_id }, basic(`1:${client_secret}`)), 'the ID by form');
      expectKnown(await post({ client_id }, basic(`:${client_secret}`)), 'the ID by form alone');
      expectKnown(await post({ client_secret }, basic(`${client_id}:x`)), 'the secret by form');
      expectKnown(await post({ client_secret }, basic(`${client_id}:`)), 'the secret by form alone');
      expectOauthError(await post({ client_id: '1' }, right), 400, 'invalid_client');
      expectOauthError(await post({ client_id: 'abc' }, right), 400, 'invalid_client');
      expectOauthError(await post({ client_secret: 'x' }, right), 401, 'invalid_client_secret');
    });

    it('takes nothing from the query', async () => {
      const query = new URLSearchParams({ ...credentialsOf(client), token: 'x' });
      expectOauthError(await postForm(suite.api, `${path}?${query}`, {}), 400, 'invalid_client');
    });

    it('refuses a form in which a parameter comes twice, wherever the two stand', async () => {
      const form = new URLSearchParams({
        grant_type: 'refresh_token',
        refresh_token: 'x',
        code: 'x',
        redirect_uri: 'x',
        code_verifier: 'x',
        token: 'x',
        token_type_hint: 'refresh_token',
        ...credentialsOf(client),
      }).toString();
      for (const [name, value] of new URLSearchParams(form))
        for (const again of [`${form}&${name}=${value}`, `${name}=&${form}`, `${form}&${percent(name)}=y`]) {
          const reply = await suite.api.from(freshAddress()).post(path, again, FORM);
          expectOauthError(reply, 400, 'invalid_request');
        }
    });

    it('survives forms that are none', async () => {
      const api = () => suite.api.from(freshAddress());
      const form = new URLSearchParams({ ...credentialsOf(client), token: 'x' }).toString();
      const binary = Uint8Array.from({ length: 4_096 }, (_, n) => (n * 7 + 3) % 256);
      const odd = [
        '',
        '&',
        '&&&',
        '=',
        '==',
        '%',
        '%zz',
        '%00',
        '?',
        form.replaceAll('=', ''),
        '\0',
        '{}',
        '[]',
      ];
      for (const body of [...odd, binary, 'a'.repeat(60_000), '&a='.repeat(20_000), 'a&'.repeat(30_000)]) {
        const reply = await api().post(path, body, FORM);
        expect([400, reply.status], String(body).slice(0, 20)).toContain(reply.status);
        expect(reply.json<{ code: string }>().code).toMatch(/^INVALID_(REQUEST|CLIENT)$/);
      }
      const types = [
        'application/json',
        'text/plain',
        'multipart/form-data; boundary=x',
        'application/x-www-form-urlencodedx',
        'application/xml',
        'x',
        '',
      ];
      for (const type of types) {
        const reply = await api().post(path, form, { 'content-type': type });
        expectOauthError(reply, 400, 'invalid_request');
      }
      for (const type of [
        'application/x-www-form-urlencoded; charset=utf-8',
        'Application/X-WWW-Form-URLEncoded',
        'application/x-www-form-urlencoded;charset=UTF-8',
      ]) {
        const reply = await api().post(path, `${form}&grant_type=refresh_token`, { 'content-type': type });
        expectKnown(reply, type);
      }
      const untyped = request(`POST /api/v1${path}`, [`X-Forwarded-For: ${freshAddress()}`], form);
      expectOauthError(await raw(suite.url, untyped), 400, 'invalid_request');
      const huge = await api().post(path, `${form}&x=${'x'.repeat(1_000_000)}`, FORM);
      expect([413, huge.json<{ code: string }>().code]).toEqual([huge.status, 'PAYLOAD_TOO_LARGE']);
    });
  });

  it('one spelling of a secret is the secret', async () => {
    expect(sibling(client.client_secret)).not.toBe(client.client_secret);
    const known = { ...credentialsOf(client), token: 'x' };
    ok(await postForm(suite.api, '/oauth2/introspect', known));
  });
}

/** Another spelling of the same 32 bytes: base64url of them leaves two bits of its last character unused. */
export function sibling(value: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = `${value.slice(0, -1)}${alphabet[alphabet.indexOf(value.slice(-1)) ^ 1]}`;
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(value, 'base64url'));
  return other;
}
