import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME } from '../requests.ts';
import { basicOf, type ClientAndPerson, formOf, newClient, outcomeOf } from '../tokens.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_client_authentication');
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

type Members = Readonly<Record<string, string>>;

const percent = (text: string) =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');

describe.each(['exchangeToken', 'introspectToken', 'revokeToken'] as const)('%s', (rpc) => {
  const ask = (members: Members, authorization?: string) => {
    const form = formOf({ token: 'x', grant_type: 'refresh_token', ...members });
    return outcomeOf(fixture.oauth2[rpc]({ ...form, authorization }, IN_TIME));
  };
  const KNOWN = rpc === 'exchangeToken' ? 'INVALID_GRANT' : 'ok';

  it('accepts no other spelling of an application ID, by form and by Basic', async () => {
    const { client_id: id, client_secret, owner } = client;
    const wrongs = [
      ...[' ', 'abc', '0x1f', `0x${BigInt(id).toString(16)}`, `0${id}`, `00000${id}`, ` ${id}`, `${id} `],
      ...[`${id}\n`, `+${id}`, `-${id}`, `${id}.0`, `${id}e0`, `${id}\0`, `${id},${id}`, '0', '1', '-1'],
      ...['9223372036854775807', '9223372036854775808', '18446744073709551616', '１２３', '1'.repeat(10_000)],
      ...[owner.account_id, client_secret, "1' OR '1'='1"],
    ];
    for (const wrong of wrongs) {
      expect(await ask({ client_id: wrong, client_secret }), wrong).toBe('INVALID_CLIENT');
      expect(await ask({}, basicOf(encodeURIComponent(wrong), client_secret)), wrong).toBe('INVALID_CLIENT');
      expect(await ask({ client_id: wrong }), wrong).toBe('INVALID_CLIENT');
    }
  });

  it('accepts no other spelling of a secret, by form and by Basic', async () => {
    const { client_id, client_secret: secret, person } = client;
    const wrongs = [
      ...[
        ' ',
        'x',
        `${secret} `,
        ` ${secret}`,
        `${secret}=`,
        `${secret}\0`,
        `${secret}:`,
        `:${secret}`,
        'a:b',
      ],
      ...[percent(secret), secret.slice(0, -1), `${secret}A`, secret.toLowerCase(), secret.toUpperCase()],
      ...[sibling(secret), person.account_id, client_id, 'x'.repeat(10_000), "' OR '1'='1", '\u{1f600}'],
    ];
    for (const wrong of wrongs) {
      expect(await ask({ client_id, client_secret: wrong }), wrong).toBe('INVALID_CLIENT_SECRET');
      const basic = basicOf(client_id, encodeURIComponent(wrong));
      expect(await ask({}, basic), wrong).toBe('INVALID_CLIENT_SECRET');
    }
    expect(await ask({ client_id })).toBe('INVALID_REQUEST');
  });

  it('decodes percent signs in Basic, and not twice', async () => {
    const { client_id, client_secret } = client;
    expect(await ask({}, basicOf(percent(client_id), percent(client_secret)))).toBe(KNOWN);
    expect(await ask({}, basicOf(client_id, percent(percent(client_secret))))).toBe('INVALID_CLIENT_SECRET');
    expect(await ask({}, basicOf(`${client_id}%3A${client_secret}`, ''))).toBe('INVALID_CLIENT');
  });

  it('authenticates a client by its form, whatever malformed Basic comes with it', async () => {
    const { client_id, client_secret } = client;
    const good = basicOf(client_id, client_secret);
    for (const malformed of [`${good} x`, `Basic "${good.slice(6)}"`, `Basic ${good}`, 'Basic ====']) {
      expect(await ask({}, malformed), malformed).toBe('INVALID_CLIENT');
      expect(await ask({ client_id, client_secret }, malformed), malformed).toBe(KNOWN);
    }
    // Invalid UTF-8: no Basic, or a wrong secret.
    const bytes = Buffer.concat([Buffer.from(`${client_id}:${client_secret}`), Buffer.of(0xff, 0xfe)]);
    const outcome = await ask({}, `Basic ${bytes.toString('base64')}`);
    expect(['INVALID_CLIENT', 'INVALID_CLIENT_SECRET']).toContain(outcome);
  });
});

/** Another spelling of the same 32 bytes: base64url leaves two bits of the last character unused. */
function sibling(value: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';
  const other = `${value.slice(0, -1)}${alphabet[alphabet.indexOf(value.slice(-1)) ^ 1]}`;
  expect(Buffer.from(other, 'base64url')).toEqual(Buffer.from(value, 'base64url'));
  return other;
}
