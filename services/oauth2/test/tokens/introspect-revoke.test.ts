import { faultOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, whoIs } from '../requests.ts';
import { insertAccessToken } from '../rows.ts';
import {
  basicOf,
  type ClientAndPerson,
  exchange,
  formOf,
  newClient,
  newCode,
  outcomeOf,
  refresh,
} from '../tokens.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_introspect');
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

type Members = Readonly<Record<string, string>>;

const request = ({ client_id, client_secret }: ClientAndPerson, members: Members) =>
  formOf({ client_id, client_secret, ...members });
/** The response about a token, without absent members. */
async function introspect(by: ClientAndPerson, token: string, members: Members = {}) {
  const response = await fixture.oauth2.introspectToken(request(by, { token, ...members }), IN_TIME);
  return Object.fromEntries(Object.entries(response).filter(([, value]) => value !== null));
}
const revoke = (by: ClientAndPerson, token: string, members: Members = {}) =>
  fixture.oauth2.revokeToken(request(by, { token, ...members }), IN_TIME);
const pairOf = async (of: ClientAndPerson, scope = 'identify email') =>
  exchange(fixture.oauth2, of, await newCode(fixture.oauth2, of, { scope }));

describe('introspection', () => {
  it('returns all members of an access token, and all but exp of a refresh token', async () => {
    const before = Math.floor(Date.now() / 1000) - 1;
    const pair = await pairOf(client, 'identify guilds email');
    const access = await introspect(client, pair.access_token);
    expect(access).toEqual({
      active: true,
      scope: 'email guilds identify',
      client_id: client.client_id,
      token_type: 'Bearer',
      iat: expect.any(Number),
      exp: Number(access.iat) + 604_800,
      sub: client.person.account_id,
    });
    expect(access.iat).toBeGreaterThanOrEqual(before);
    expect(access.iat).toBeLessThanOrEqual(Math.ceil(Date.now() / 1000) + 1);
    const { exp: _, ...rest } = access;
    expect(await introspect(client, pair.refresh_token)).toEqual({ ...rest, token_type: 'refresh_token' });
  });

  it('needs no hint and accepts any', async () => {
    const pair = await pairOf(client);
    for (const token_type_hint of ['access_token', 'refresh_token', 'nonsense'])
      for (const token of [pair.access_token, pair.refresh_token])
        expect(await introspect(client, token, { token_type_hint })).toMatchObject({ active: true });
  });

  it('finds a token by no other spelling', async () => {
    const pair = await pairOf(client);
    for (const token of [pair.access_token, pair.refresh_token]) {
      const [first = '', ...rest] = token;
      const other = first === first.toLowerCase() ? first.toUpperCase() : first.toLowerCase();
      const spellings = [
        ...[`${token}=`, `${token} `, ` ${token}`, `${token}\n`, `${token}\0`, `Bearer ${token}`],
        ...[token.slice(0, -1), `${token}A`, `${other === first ? '_' : other}${rest.join('')}`],
        Buffer.from(token).toString('base64'),
      ];
      for (const spelling of spellings) {
        expect(await introspect(client, spelling), spelling).toEqual({ active: false });
        for (const token_type_hint of ['', 'refresh_token', 'access_token'])
          await revoke(client, spelling, { token_type_hint });
      }
      expect(await introspect(client, token)).toMatchObject({ active: true });
    }
  });

  it('by another application finds the token, too', async () => {
    const pair = await pairOf(client);
    const other = await newClient(fixture);
    const response = await introspect(client, pair.access_token);
    expect(await introspect(other, pair.access_token)).toEqual(response);
    expect(await introspect(other, pair.refresh_token)).toMatchObject({
      active: true,
      client_id: client.client_id,
    });
  });

  it('of a dead or unknown token returns nothing else', async () => {
    const pair = await pairOf(client);
    await refresh(fixture.oauth2, client, pair.refresh_token);
    const code = await newCode(fixture.oauth2, client);
    const expired = await insertAccessToken(fixture.db, {
      application_id: client.client_id,
      account_id: client.person.account_id,
    });
    await fixture.db.query("UPDATE access_tokens SET expires_at = now() - interval '1 s' WHERE id = $1", [
      expired.id,
    ]);
    const session = await fixture.auth.register(
      { email: 's@example.com', username: 'session', password: 'correct horse' },
      IN_TIME,
    );
    const dead: Members = {
      'a spent refresh token': pair.refresh_token,
      'an expired access token': expired.token,
      'a code': code,
      'a client secret': client.client_secret,
      'a session': session.token,
      'a bot token': `${client.client_id}.${'A'.repeat(43)}`,
      'an unknown one': 'A'.repeat(43),
      'one with a blank': `${pair.access_token} `,
      'one with a scheme': `Bearer ${pair.access_token}`,
      'a long one': 'x'.repeat(60_000),
      'one with a NUL': 'a\0b',
    };
    for (const [what, token] of Object.entries(dead))
      expect(await introspect(client, token), what).toEqual({ active: false });
    await exchange(fixture.oauth2, client, code);
  });
});

describe('revocation', () => {
  it('by an access token ends all tokens of the user for the application, and no others', async () => {
    const first = await pairOf(client);
    const second = await pairOf(client, 'guilds');
    const other = await newClient(fixture);
    const elsewhere = await pairOf({ ...other, person: client.person });
    const somebody = await pairOf({ ...client, person: other.person });

    expect(await revoke(client, second.access_token)).toEqual({});
    for (const { access_token, refresh_token } of [first, second])
      for (const token of [access_token, refresh_token])
        expect(await introspect(client, token)).toEqual({ active: false });
    expect(await whoIs(fixture.oauth2, first.access_token)).toBeUndefined();
    expect(await outcomeOf(refresh(fixture.oauth2, client, first.refresh_token))).toBe('INVALID_GRANT');
    for (const { access_token, refresh_token } of [elsewhere, somebody])
      for (const token of [access_token, refresh_token])
        expect(await introspect(client, token)).toMatchObject({ active: true });
    expect(await revoke(client, second.access_token), 'again').toEqual({});
  });

  it('by a refresh token ends them all, too', async () => {
    const pair = await pairOf(client);
    await revoke(client, pair.refresh_token, { token_type_hint: 'refresh_token' });
    for (const token of [pair.access_token, pair.refresh_token])
      expect(await introspect(client, token)).toEqual({ active: false });
  });

  test.each<['access_token' | 'refresh_token', string, boolean]>([
    ['access_token', '', true],
    ['access_token', 'access_token', true],
    ['access_token', 'nonsense', true],
    ['access_token', 'refresh_token', false],
    ['refresh_token', '', false],
    ['refresh_token', 'access_token', false],
    ['refresh_token', 'nonsense', false],
    ['refresh_token', 'Refresh_Token', false],
    ['refresh_token', 'refresh_token', true],
  ])('of %s with the hint %j matches: %s', async (kind, token_type_hint, matches) => {
    const pair = await pairOf(client);
    expect(await revoke(client, pair[kind], { token_type_hint })).toEqual({});
    for (const token of [pair.access_token, pair.refresh_token])
      expect(await introspect(client, token)).toMatchObject({ active: !matches });
  });

  it('of a token of another application, an expired or an unknown one matches nothing', async () => {
    const pair = await pairOf(client);
    const other = await newClient(fixture);
    await revoke(other, pair.access_token);
    await revoke(other, pair.refresh_token, { token_type_hint: 'refresh_token' });
    const expired = await insertAccessToken(fixture.db, {
      application_id: client.client_id,
      account_id: client.person.account_id,
    });
    await fixture.db.query("UPDATE access_tokens SET expires_at = now() - interval '1 s' WHERE id = $1", [
      expired.id,
    ]);
    for (const token of [expired.token, 'A'.repeat(43), 'x', client.client_secret, 'a\0b'])
      for (const token_type_hint of ['', 'refresh_token']) await revoke(client, token, { token_type_hint });
    for (const token of [pair.access_token, pair.refresh_token])
      expect(await introspect(client, token)).toMatchObject({ active: true });
  });

  it('leaves the codes of the user if nothing matches', async () => {
    const code = await newCode(fixture.oauth2, client);
    const pair = await pairOf(client);
    await revoke(client, pair.refresh_token);
    await exchange(fixture.oauth2, client, code);
  });
});

describe.each(['introspectToken', 'revokeToken'] as const)('%s', (rpc) => {
  const ask = (members: Members, authorization?: string) =>
    fixture.oauth2[rpc]({ ...formOf(members), authorization }, IN_TIME);

  it('accepts Basic, and each form parameter overrides it', async () => {
    const { client_id, client_secret } = client;
    const token = 'unknown';
    const right = basicOf(client_id, client_secret);
    expect(await outcomeOf(ask({ token }, right))).toBe('ok');
    expect(await outcomeOf(ask({ token, client_id, client_secret }, basicOf('1', 'x')))).toBe('ok');
    expect(await outcomeOf(ask({ token, client_secret: 'x' }, right))).toBe('INVALID_CLIENT_SECRET');
    expect(await outcomeOf(ask({ token, client_id: '1' }, right))).toBe('INVALID_CLIENT');
  });

  it('checks the form, the client ID, the secret and the token in this order', async () => {
    const { client_id, client_secret } = client;
    const twice = { ...formOf({}), body: Buffer.from('client_id=x&token=a&token=b') };
    expect(await outcomeOf(fixture.oauth2[rpc](twice, IN_TIME))).toBe('INVALID_REQUEST');
    const json = { content_type: 'application/json', body: Buffer.from('{"token":"x"}') };
    expect(await outcomeOf(fixture.oauth2[rpc](json, IN_TIME))).toBe('INVALID_REQUEST');
    for (const wrong of ['', 'x', '0x1', `0${client_id}`, '1', '9223372036854775808'])
      expect(await outcomeOf(ask({ client_id: wrong }))).toBe('INVALID_CLIENT');
    expect((await faultOf(ask({ client_id }))).message).toBe(
      'invalid_request: The client secret is missing.',
    );
    expect(await outcomeOf(ask({ client_id, client_secret: 'x' }))).toBe('INVALID_CLIENT_SECRET');
    for (const members of [{}, { token: '' }])
      expect((await faultOf(ask({ client_id, client_secret, ...members }))).message).toBe(
        'invalid_request: The parameter token is missing.',
      );
  });
});
