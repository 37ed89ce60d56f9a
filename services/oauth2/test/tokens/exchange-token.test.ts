import { hash } from 'node:crypto';
import { faultOf } from '@gatehouse/dev-env/faults';
import { Status } from '@gatehouse/kit/fault';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { WEB_APP_URL } from '../replicas.ts';
import { IN_TIME, newPerson, settings, whoIs } from '../requests.ts';
import {
  basicOf,
  type ClientAndPerson,
  exchange,
  formOf,
  newClient,
  newCode,
  REDIRECT_URI,
  refresh,
} from '../tokens.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_exchange');
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

type Members = Readonly<Record<string, string>>;

const token = (members: Members, authorization?: string) =>
  fixture.oauth2.exchangeToken({ ...formOf(members), authorization }, IN_TIME);
const code = (changes: Parameters<typeof newCode>[2] = {}) => newCode(fixture.oauth2, client, changes);
const credentials = ({ client_id, client_secret }: ClientAndPerson) => ({ client_id, client_secret });

/** Expects the refusal of a call with this OAuth2 error. */
async function refused(call: Promise<unknown>, name: string, what?: string): Promise<void> {
  const status = name === 'invalid_client_secret' ? Status.UNAUTHENTICATED : Status.INVALID_ARGUMENT;
  const { reason, message, status: found } = await faultOf(call);
  expect({ reason, status: found, begins: message.startsWith(`${name}:`) }, what).toEqual({
    reason: name.toUpperCase(),
    status,
    begins: true,
  });
}

describe('a pair', () => {
  it('is 32 random bytes each, for 604800 s, with the scopes in alphabetical order', async () => {
    const scope = 'identify guilds+connections email identify bot';
    const pair = await exchange(fixture.oauth2, client, await code({ scope }));
    const secret = expect.stringMatching(/^[A-Za-z0-9_-]{43}$/);
    expect(pair).toEqual({
      access_token: secret,
      token_type: 'Bearer',
      expires_in: 604_800,
      refresh_token: secret,
      scope: 'bot connections email guilds identify',
    });
    expect(await whoIs(fixture.oauth2, pair.access_token)).toMatchObject({
      account_id: client.person.account_id,
      application_id: client.client_id,
    });
  });

  it('is replaced by a refresh, and earlier access tokens stay live', async () => {
    const first = await exchange(fixture.oauth2, client, await code());
    const second = await refresh(fixture.oauth2, client, first.refresh_token);
    const third = await refresh(fixture.oauth2, client, second.refresh_token);
    expect(
      new Set([first, second, third].flatMap((pair) => [pair.access_token, pair.refresh_token])).size,
    ).toBe(6);
    for (const { access_token, scope } of [first, second, third]) {
      expect(scope).toBe('email identify');
      expect(await whoIs(fixture.oauth2, access_token)).toBeDefined();
    }
    for (const { refresh_token } of [first, second])
      await refused(refresh(fixture.oauth2, client, refresh_token), 'invalid_grant');
    await refresh(fixture.oauth2, client, third.refresh_token);
  });

  it('of another consent does not end earlier ones', async () => {
    const first = await exchange(fixture.oauth2, client, await code());
    await exchange(fixture.oauth2, client, await code({ scope: 'guilds' }));
    expect(await whoIs(fixture.oauth2, first.access_token)).toBeDefined();
    await refresh(fixture.oauth2, client, first.refresh_token);
  });

  it('ignores a scope at refresh, like other foreign parameters', async () => {
    const first = await exchange(fixture.oauth2, client, await code());
    const form = {
      grant_type: 'refresh_token',
      refresh_token: first.refresh_token,
      scope: 'guilds',
      code: 'x',
    };
    expect((await token({ ...form, ...credentials(client) })).scope).toBe('email identify');
  });
});

describe('a client', () => {
  const grant = async () => ({
    grant_type: 'authorization_code',
    code: await code(),
    redirect_uri: REDIRECT_URI,
  });

  it('authenticates by form, by Basic, or by one value of each', async () => {
    const { client_id, client_secret } = client;
    await token({ ...(await grant()), client_id, client_secret });
    await token(await grant(), basicOf(client_id, client_secret));
    await token({ ...(await grant()), client_id }, basicOf('', client_secret));
    await token({ ...(await grant()), client_secret }, basicOf(client_id, ''));
  });

  it('may percent-encode Basic, each character of it', async () => {
    const encoded = [client.client_id, client.client_secret].map((text) =>
      [...text].map((char) => `%${char.charCodeAt(0).toString(16)}`).join(''),
    );
    await token(await grant(), basicOf(encoded[0] ?? '', encoded[1] ?? ''));
  });

  it('may send wrong Basic values that its form overrides, but not vice versa', async () => {
    const { client_id, client_secret } = client;
    await token({ ...(await grant()), client_id, client_secret }, basicOf('7', 'wrong'));
    const right = basicOf(client_id, client_secret);
    await refused(token({ ...(await grant()), client_secret: 'wrong' }, right), 'invalid_client_secret');
    await refused(token({ ...(await grant()), client_id: '7' }, right), 'invalid_client');
  });

  it('cannot be a mixture: the ID of one with the secret of another is refused', async () => {
    const other = await newClient(fixture);
    const mixed = token(
      { ...(await grant()), client_id: other.client_id },
      basicOf(client.client_id, client.client_secret),
    );
    await refused(mixed, 'invalid_client_secret');
  });

  it.each([
    '',
    ' ',
    'abc',
    '0x1f',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0',
    '1',
    '00',
    '9223372036854775807',
    '9223372036854775808',
    '99999999999999999999',
    '١٢٣',
    'a\0b',
    '1'.repeat(5_000),
  ])('with the ID %j is unknown', async (client_id) => {
    const form = { grant_type: 'nonsense', client_secret: client.client_secret };
    await refused(token({ ...form, client_id }), 'invalid_client');
    await refused(token(form, basicOf(client_id, client.client_secret)), 'invalid_client');
  });

  it('is identified by its exact ID only', async () => {
    const { client_id, client_secret } = client;
    for (const spelled of [
      `0${client_id}`,
      ` ${client_id}`,
      `${client_id}\n`,
      BigInt(client_id).toString(16),
    ])
      await refused(token({ client_id: spelled, client_secret }), 'invalid_client');
  });

  it('without a secret gets that error after the check of its ID', async () => {
    const { client_id } = client;
    await refused(token({ client_id }), 'invalid_request');
    await refused(token({ client_id, client_secret: '' }), 'invalid_request');
    await refused(token({}, basicOf(client_id, '')), 'invalid_request');
    await refused(token({ client_id: '1' }), 'invalid_client');
  });

  it('with another secret is refused, in any spelling', async () => {
    const { client_id, client_secret } = client;
    const encoded = `%${client_secret.charCodeAt(0).toString(16)}${client_secret.slice(1)}`;
    const hashed = hash('sha256', client_secret);
    const other = (await newClient(fixture)).client_secret;
    const wrongs = [
      'x',
      ':',
      `:${client_secret}`,
      `${client_secret}:`,
      ` ${client_secret}`,
      'é',
      'a\0',
      's'.repeat(9_000),
    ];
    for (const wrong of [...wrongs, encoded, hashed, other, client_secret.toUpperCase()])
      await refused(token({ client_id, client_secret: wrong }), 'invalid_client_secret', wrong);
  });

  it('is checked before the grant, and the form before the client', async () => {
    const form = { ...(await grant()), client_secret: 'wrong', client_id: client.client_id };
    await refused(token({ ...form, grant_type: 'password' }), 'invalid_client_secret');
    await refused(token({ ...form, code: 'unknown' }), 'invalid_client_secret');
    const twice = { ...formOf({}), body: Buffer.from('client_id=x&client_id=y') };
    await refused(fixture.oauth2.exchangeToken(twice, IN_TIME), 'invalid_request');
    const json = { content_type: 'application/json', body: Buffer.from('{}') };
    await refused(fixture.oauth2.exchangeToken(json, IN_TIME), 'invalid_request');
  });
});

test.each(['', 'client_credentials', 'password', 'implicit', 'Authorization_Code', 'authorization_code '])(
  'the grant type %j is not supported',
  async (grant_type) => {
    const form = { grant_type, code: await code(), redirect_uri: REDIRECT_URI };
    await refused(token({ ...form, ...credentials(client) }), 'unsupported_grant_type');
  },
);

describe('a failed check consumes nothing', () => {
  const S256 = hash('sha256', 'v'.repeat(43), 'base64url');

  test.each([
    '',
    `${REDIRECT_URI}/`,
    REDIRECT_URI.slice(0, -1),
    REDIRECT_URI.toUpperCase(),
    REDIRECT_URI.replace('client', 'Client'),
    REDIRECT_URI.replace('.test', '.test:443'),
    REDIRECT_URI.replace('.test', '%2etest'),
    REDIRECT_URI.replace('/callback', '/%63allback'),
    REDIRECT_URI.replace('/callback', '/./callback'),
    REDIRECT_URI.replace('https', 'http'),
    `${REDIRECT_URI}#`,
    ` ${REDIRECT_URI}`,
    REDIRECT_URI.replace('client', 'user@client'),
    REDIRECT_URI.replace('https://', 'https:\\\\'),
    WEB_APP_URL,
  ])('of the redirect URI %j', async (redirect_uri) => {
    const issued = await code();
    await refused(exchange(fixture.oauth2, client, issued, { redirect_uri }), 'invalid_grant');
    await exchange(fixture.oauth2, client, issued);
  });

  it('of an S256 verifier: missing, wrong, too short, too long, of other characters, the challenge', async () => {
    const issued = await code({ code_challenge: S256, code_challenge_method: 'S256' });
    const wrongs = [
      '',
      'w'.repeat(43),
      'v'.repeat(42),
      'v'.repeat(44),
      'v'.repeat(129),
      `${'v'.repeat(42)}+`,
      S256,
    ];
    for (const code_verifier of wrongs)
      await refused(
        exchange(fixture.oauth2, client, issued, { code_verifier }),
        'invalid_grant',
        code_verifier,
      );
    await exchange(fixture.oauth2, client, issued, { code_verifier: 'v'.repeat(43) });
  });

  it('of a plain verifier, which is the default method', async () => {
    for (const code_challenge_method of ['plain', undefined]) {
      const issued = await code({ code_challenge: 'abc', code_challenge_method });
      for (const code_verifier of ['', 'ab', 'ABC', hash('sha256', 'abc', 'base64url')])
        await refused(
          exchange(fixture.oauth2, client, issued, { code_verifier }),
          'invalid_grant',
          code_verifier,
        );
      await exchange(fixture.oauth2, client, issued, { code_verifier: 'abc' });
    }
  });

  it('of a verifier for a code without a challenge', async () => {
    const issued = await code();
    await refused(
      exchange(fixture.oauth2, client, issued, { code_verifier: 'v'.repeat(43) }),
      'invalid_grant',
    );
    await exchange(fixture.oauth2, client, issued);
  });

  it('of the client: the code and the refresh token of another', async () => {
    const other = await newClient(fixture);
    const issued = await code();
    await refused(exchange(fixture.oauth2, other, issued), 'invalid_grant');
    const pair = await exchange(fixture.oauth2, client, issued);
    await refused(refresh(fixture.oauth2, other, pair.refresh_token), 'invalid_grant');
    await refresh(fixture.oauth2, client, pair.refresh_token);
  });

  it('of the secret', async () => {
    const issued = await code();
    const impostor = { ...client, client_secret: 'wrong' };
    await refused(exchange(fixture.oauth2, impostor, issued), 'invalid_client_secret');
    const pair = await exchange(fixture.oauth2, client, issued);
    await refused(refresh(fixture.oauth2, impostor, pair.refresh_token), 'invalid_client_secret');
    await refresh(fixture.oauth2, client, pair.refresh_token);
  });
});

it('a code works once', async () => {
  const issued = await code();
  const pair = await exchange(fixture.oauth2, client, issued);
  await refused(exchange(fixture.oauth2, client, issued), 'invalid_grant');
  expect(await whoIs(fixture.oauth2, pair.access_token), 'a replay ends nothing').toBeDefined();
});

it('a code without a redirect URI is exchanged with the URL of the web app', async () => {
  const issued = await code({ scope: 'bot', redirect_uri: undefined });
  for (const redirect_uri of ['', REDIRECT_URI, `${WEB_APP_URL}/`])
    await refused(exchange(fixture.oauth2, client, issued, { redirect_uri }), 'invalid_grant');
  expect((await exchange(fixture.oauth2, client, issued, { redirect_uri: WEB_APP_URL })).scope).toBe('bot');
});

it('credentials of another kind, and any other texts, are neither code nor refresh token', async () => {
  const { application } = await fixture.oauth2.createApplication(settings(), {
    ...IN_TIME,
    caller: await newPerson(fixture.auth),
  });
  const session = (
    await fixture.auth.register(
      { email: 'k@example.com', username: 'kinds', password: 'correct horse' },
      IN_TIME,
    )
  ).token;
  const { identity } = await fixture.auth.identify(
    { kind: CallerKind.CALLER_KIND_SESSION, token: session },
    IN_TIME,
  );
  expect(identity, 'a live session').toBeDefined();
  const issued = await code();
  const pair = await exchange(fixture.oauth2, client, await code());
  const others: Members = {
    session,
    'bot token': application?.bot?.token ?? '',
    'webhook token': 'w'.repeat(64),
    'client secret': client.client_secret,
    'access token': pair.access_token,
    'hash of the code': hash('sha256', issued),
    'code in capitals': issued.toUpperCase(),
    'code with a blank': ` ${issued}`,
    'code with a NUL': `${issued}\0`,
    unknown: 'A'.repeat(43),
    absent: '',
    long: 'x'.repeat(60_000),
    'not ASCII': 'é🎉',
  };
  for (const [what, other] of Object.entries({ ...others, 'refresh token': pair.refresh_token }))
    await refused(exchange(fixture.oauth2, client, other), 'invalid_grant', what);
  for (const [what, other] of Object.entries({ ...others, code: issued }))
    await refused(refresh(fixture.oauth2, client, other), 'invalid_grant', what);
  await exchange(fixture.oauth2, client, issued);
  await refresh(fixture.oauth2, client, pair.refresh_token);
});
