import { hash } from 'node:crypto';
import type { GrantConsentRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { WEB_APP_URL } from '../replicas.ts';
import { changes, IN_TIME, settings } from '../requests.ts';
import { type ClientAndPerson, exchange, newClient, outcomeOf, REDIRECT_URI } from '../tokens.ts';
import { FOREIGN_URIS } from './foreign-uris.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_consent');
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

type Changes = Partial<GrantConsentRequest>;

async function consent(changes: Changes = {}, caller = client.person): Promise<string> {
  const right = { client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
  return (await fixture.oauth2.grantConsent({ ...right, ...changes }, { ...IN_TIME, caller })).redirect_to;
}

/** Another application of the same owner. */
async function application(changes: Parameters<typeof settings>[0]): Promise<string> {
  const call = { ...IN_TIME, caller: client.owner };
  return (await fixture.oauth2.createApplication(settings(changes), call)).application?.id ?? '';
}

const codeOf = (redirect_to: string) => new URL(redirect_to).searchParams.get('code') ?? '';

async function codes(): Promise<number> {
  const { rows } = await fixture.db.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM authorization_codes',
  );
  return rows[0]?.count ?? Number.NaN;
}

/** A request that fails each check alone, in the order of docs/oauth2.md#consent-checks. */
const CHECKS: readonly [name: string, changes: Changes, error: string][] = [
  ['both targets', { guild_id: '1', channel_id: '2' }, 'BAD_REQUEST'],
  ['permissions', { permissions: 'x' }, 'INVALID_PERMISSIONS_INTEGER'],
  ['application', { client_id: '7' }, 'INVALID_CLIENT'],
  ['scopes', { scope: 'admin bot' }, 'INVALID_SCOPE'],
  ['response_type', { response_type: 'token' }, 'INVALID_RESPONSE_TYPE_FOR_NON_BOT'],
  ['private bot', { scope: 'bot identify' }, 'FORBIDDEN'],
  ['redirect URI', { redirect_uri: 'https://evil.test/' }, 'INVALID_REDIRECT_URI'],
  ['PKCE', { code_challenge_method: 'S256' }, 'INVALID_REQUEST'],
];

describe('the checks of consent', () => {
  let private_id: string;
  beforeAll(async () => {
    private_id = await application({ redirect_uris: [REDIRECT_URI], bot_public: false });
  });

  it.each(CHECKS)('%s: the failure has its own error, and no code is issued', async (_, changes, error) => {
    const before = await codes();
    expect(await outcomeOf(consent({ client_id: private_id, ...changes }))).toBe(error);
    expect(await codes()).toBe(before);
  });

  it.each(
    CHECKS.flatMap(([first, earlier, error], at) =>
      CHECKS.slice(at + 1).map(([second, later]) => ({
        first,
        second,
        error,
        both: { ...later, ...earlier },
      })),
    ),
  )('of $first and $second the earlier wins', async ({ error, both }) => {
    expect(await outcomeOf(consent({ client_id: private_id, ...both }))).toBe(error);
  });
});

describe('the application', () => {
  it.each([
    undefined,
    '',
    'x',
    '0x10',
    '-1',
    '+1',
    ' 1',
    '01',
    '1.0',
    '9223372036854775808',
    '1'.repeat(10_000),
  ])('%j is invalid_client', async (client_id) => {
    expect(await outcomeOf(consent({ client_id }))).toBe('INVALID_CLIENT');
  });
});

describe('scopes', () => {
  it.each([
    ['identify', 'identify'],
    ['identify+email', 'email identify'],
    [' guilds\t\n identify++identify ', 'guilds identify'],
    ['email bot connections', 'bot connections email'],
  ])('%j grants %j', async (scope, granted) => {
    const code = codeOf(await consent({ scope }));
    expect((await exchange(fixture.oauth2, client, code)).scope).toBe(granted);
  });

  it.each([undefined, '', ' + ', 'Identify', 'identify,email', 'identify admin', 'identify\0'])(
    '%j is invalid_scope',
    async (scope) => {
      expect(await outcomeOf(consent({ scope }))).toBe('INVALID_SCOPE');
    },
  );

  it('response_type is ignored for the bot alone', async () => {
    expect(codeOf(await consent({ scope: 'bot', response_type: 'token' }))).not.toBe('');
  });
});

describe('permissions', () => {
  it.each(['0', '8', '007', '-0', String(2n ** 63n), String(2n ** 64n), '9'.repeat(200), '9'.repeat(20_000)])(
    'of %.30s are accepted',
    async (permissions) => {
      expect(await outcomeOf(consent({ permissions }))).toBe('ok');
    },
  );

  it.each(['-1', `-${'9'.repeat(200)}`])('%.30s is negative', async (permissions) => {
    expect(await outcomeOf(consent({ permissions }))).toBe('INVALID_PERMISSIONS_NEGATIVE');
  });

  it.each(['', ' ', ' 8', '8 ', '8\n', '0x8', '+8', '8.0', '1e3', '8n', '--8', '-', '٨', 'NaN'])(
    '%j is no integer',
    async (permissions) => {
      expect(await outcomeOf(consent({ permissions }))).toBe('INVALID_PERMISSIONS_INTEGER');
    },
  );
});

describe('PKCE', () => {
  const VERIFIER = 'v'.repeat(43);
  const S256 = hash('sha256', VERIFIER, 'base64url');

  it.each<[string, Changes, string]>([
    ['S256', { code_challenge: S256, code_challenge_method: 'S256' }, VERIFIER],
    ['plain', { code_challenge: 'a', code_challenge_method: 'plain' }, 'a'],
    ['no method, which is plain', { code_challenge: '-._~'.repeat(32) }, '-._~'.repeat(32)],
    ['an empty method, which is none', { code_challenge: 'a', code_challenge_method: '' }, 'a'],
  ])('with %s the code needs its verifier', async (_, changes, code_verifier) => {
    const code = codeOf(await consent(changes));
    expect(await outcomeOf(exchange(fixture.oauth2, client, code))).toBe('INVALID_GRANT');
    const wrong = exchange(fixture.oauth2, client, code, { code_verifier: 'w'.repeat(43) });
    expect(await outcomeOf(wrong)).toBe('INVALID_GRANT');
    expect(await outcomeOf(exchange(fixture.oauth2, client, code, { code_verifier }))).toBe('ok');
  });

  it('an empty challenge is none', async () => {
    const code = codeOf(await consent({ code_challenge: '', code_challenge_method: '' }));
    expect(await outcomeOf(exchange(fixture.oauth2, client, code, { code_verifier: 'a' }))).toBe(
      'INVALID_GRANT',
    );
    expect(await outcomeOf(exchange(fixture.oauth2, client, code))).toBe('ok');
  });

  it.each<Changes>([
    { code_challenge_method: 'plain' },
    { code_challenge: '', code_challenge_method: 'S256' },
    { code_challenge: 'a', code_challenge_method: 's256' },
    { code_challenge: 'a', code_challenge_method: 'S256' },
    { code_challenge: 'a'.repeat(42), code_challenge_method: 'S256' },
    { code_challenge: 'a'.repeat(129), code_challenge_method: 'S256' },
    { code_challenge: 'a'.repeat(129) },
    { code_challenge: 'a b' },
    { code_challenge: 'a\n' },
    { code_challenge: 'é' },
    { code_challenge: 'a\0' },
  ])('%j is invalid_request', async (changes) => {
    expect(await outcomeOf(consent(changes))).toBe('INVALID_REQUEST');
  });
});

describe('the callback', () => {
  const PRINTABLE = String.fromCharCode(...Array.from({ length: 95 }, (_, n) => 32 + n));

  it.each([PRINTABLE, 'é𝕏', '\n\t\0', '%41', 'a=b&code=c', 'x'.repeat(8_000)])(
    'has the state %.20j unchanged, once',
    async (state) => {
      const { searchParams } = new URL(await consent({ state }));
      expect(searchParams.getAll('state')).toEqual([state]);
      expect(searchParams.getAll('code')).toEqual([expect.stringMatching(/^[\w-]{43}$/)]);
    },
  );

  it('has the bytes of a state that is not UTF-8, and no other parameter', async () => {
    expect(await consent({ state: 'x', raw_state: '%C3%28&code=y#z\r\n%' })).toMatch(
      /&code=[\w-]{43}&state=%C3%28%26code%3Dy%23z%0D%0A%25$/,
    );
  });

  it('has no state if it is missing or empty', async () => {
    for (const state of [undefined, '']) expect(await consent({ state })).not.toContain('state');
  });

  it.each([
    ['https://a.test/', '?'],
    ['https://a.test', '?'],
    ['https://a.test?', ''],
    ['https://a.test/?x', '&'],
    ['https://a.test/cb?x=%7e&y=+%20&&z=/?', '&'],
    ['https://a.test/cb?x=1&', ''],
    ['https://A.test:443/%2e/../b;c?state=mine&code=mine', '&'],
    ['http://127.0.0.1:8123/cb', '?'],
    ["https://a.test/!$&'()*+,;=:@?a[]=b", '&'],
  ])('begins with the bytes of %s', async (redirect_uri, joint) => {
    const client_id = await application({ redirect_uris: [redirect_uri] });
    const redirect_to = await consent({ client_id, redirect_uri, state: 's' });
    expect(redirect_to.replace(/code=[\w-]{43}&state=s$/, 'END')).toBe(`${redirect_uri}${joint}END`);
  });
});

describe('the redirect URI', () => {
  it.each([
    `${REDIRECT_URI}/`,
    REDIRECT_URI.toUpperCase(),
    REDIRECT_URI.replace('.test', '.test:443'),
    REDIRECT_URI.replace('callback', '%63allback'),
    `${REDIRECT_URI}#`,
    ` ${REDIRECT_URI}`,
    'https://client.test',
    'x',
    '\0',
    WEB_APP_URL,
    `${REDIRECT_URI}${'x'.repeat(10_240)}`,
  ])('%.60j is not the registered string', async (redirect_uri) => {
    expect(await outcomeOf(consent({ redirect_uri }))).toBe('INVALID_REDIRECT_URI');
    expect(await outcomeOf(consent({ redirect_uri, scope: 'bot' }))).toBe('INVALID_REDIRECT_URI');
  });

  it('is not an address that only looks like the registered one, at consent, at refusal and with prompt=none', async () => {
    const client_id = await application({ redirect_uris: ['https://client.test/callback'] });
    const caller = client.person;
    for (const redirect_uri of FOREIGN_URIS) {
      for (const scope of ['identify', 'bot', 'bot identify'])
        expect(await outcomeOf(consent({ client_id, redirect_uri, scope })), redirect_uri).toBe(
          'INVALID_REDIRECT_URI',
        );
      const refused = fixture.oauth2.refuseConsent({ client_id, redirect_uri }, { ...IN_TIME, caller });
      expect(await outcomeOf(refused), redirect_uri).toBe('INVALID_REDIRECT_URI');
      const query = `${new URLSearchParams({ prompt: 'none', client_id, scope: 'bot', redirect_uri })}`;
      const { location } = await fixture.oauth2.authorize({ query }, { ...IN_TIME, caller });
      expect(location, redirect_uri).toBe(`${WEB_APP_URL}?error=consent_required`);
    }
  });

  it('is required again at the exchange, as the same string', async () => {
    const code = codeOf(await consent());
    for (const redirect_uri of FOREIGN_URIS)
      expect(await outcomeOf(exchange(fixture.oauth2, client, code, { redirect_uri })), redirect_uri).toBe(
        'INVALID_GRANT',
      );
    expect(await outcomeOf(exchange(fixture.oauth2, client, code))).toBe('ok');
  });

  it('that was removed is not followed any more, although its codes are still valid', async () => {
    const [first, second] = ['https://client.test/1', 'https://client.test/2'];
    const owned = await newClient(fixture);
    const update = (redirect_uris: string[]) =>
      fixture.oauth2.updateApplication(
        { application_id: owned.client_id, ...changes({ redirect_uris: { items: redirect_uris } }) },
        { ...IN_TIME, caller: owned.owner },
      );
    await update([first, second]);
    const { client_id } = owned;
    const code = codeOf(await consent({ client_id, redirect_uri: first }));
    await update([second]);
    expect(await outcomeOf(consent({ client_id, redirect_uri: first }))).toBe('INVALID_REDIRECT_URI');
    expect(await outcomeOf(consent({ client_id, redirect_uri: second }))).toBe('ok');
    expect(await outcomeOf(exchange(fixture.oauth2, owned, code, { redirect_uri: first }))).toBe('ok');
  });

  it('is required for more than the bot', async () => {
    for (const redirect_uri of [undefined, ''])
      for (const scope of ['identify', 'bot identify'])
        expect(await outcomeOf(consent({ redirect_uri, scope }))).toBe('MISSING_REDIRECT_URI');
  });

  it('of the bot alone is the web app by default', async () => {
    const redirect_to = await consent({ redirect_uri: undefined, scope: 'bot', state: 's' });
    expect(redirect_to).toMatch(/^https:\/\/app\.test\?code=[\w-]{43}&state=s$/);
    const code = codeOf(redirect_to);
    const wrong = exchange(fixture.oauth2, client, code);
    expect(await outcomeOf(wrong)).toBe('INVALID_GRANT');
    const { scope } = await exchange(fixture.oauth2, client, code, { redirect_uri: WEB_APP_URL });
    expect(scope).toBe('bot');
  });

  it('of the bot alone is required by an application that sets bot_require_code_grant', async () => {
    const client_id = await application({ redirect_uris: [REDIRECT_URI], bot_require_code_grant: true });
    const bot = { client_id, scope: 'bot' };
    expect(await outcomeOf(consent({ ...bot, redirect_uri: undefined }))).toBe('MISSING_REDIRECT_URI');
    expect(await outcomeOf(consent(bot))).toBe('ok');
  });
});

describe('a private bot', () => {
  it('can be installed by its owner only; without the scope bot the application is public', async () => {
    const client_id = await application({ redirect_uris: [REDIRECT_URI], bot_public: false });
    expect(await outcomeOf(consent({ client_id, scope: 'bot' }))).toBe('FORBIDDEN');
    expect(await outcomeOf(consent({ client_id, scope: 'bot' }, client.owner))).toBe('ok');
    expect(await outcomeOf(consent({ client_id }))).toBe('ok');
  });
});

it('a single target is ignored without the scope bot', async () => {
  // Chat is not running.
  for (const target of [{ guild_id: '1' }, { channel_id: '1' }])
    expect(await outcomeOf(consent(target))).toBe('ok');
});
