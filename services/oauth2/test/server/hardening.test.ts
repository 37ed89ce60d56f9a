import { hash } from 'node:crypto';
import { faultOf } from '@gatehouse/dev-env/faults';
import type { Caller } from '@gatehouse/proto/kit/calls';
import type { GrantConsentRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { hardeningOf, ISSUER, WEB_APP_URL } from '../replicas.ts';
import { IN_TIME, newPerson } from '../requests.ts';
import {
  type ClientAndPerson,
  exchange,
  formOf,
  newClient,
  newCode,
  outcomeOf,
  REDIRECT_URI,
  refresh,
} from '../tokens.ts';

/** Services on the same database: one with defaults, and one with each setting. */
let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_hardening');
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

const pairOf = async (oauth2: Oauth2, of = client) => exchange(oauth2, of, await newCode(oauth2, of));
const introspect = (oauth2: Oauth2, { client_id, client_secret }: ClientAndPerson, token: string) =>
  oauth2.introspectToken(formOf({ client_id, client_secret, token }), IN_TIME);

async function silently(oauth2: Oauth2, changes: Readonly<Record<string, string>>, caller: Caller) {
  const right = { client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
  const query = new URLSearchParams({ ...right, prompt: 'none', ...changes }).toString();
  return (await oauth2.authorize({ query }, { ...IN_TIME, caller })).location;
}

/** Makes a code or refresh token older, by the database's clock. */
async function age(table: 'authorization_codes' | 'refresh_tokens', text: string, interval: string) {
  const column = table === 'authorization_codes' ? 'code_hash' : 'token_hash';
  const { rowCount } = await fixture.db.query(
    `UPDATE ${table} SET created_at = created_at - $2::interval WHERE ${column} = $1`,
    [hash('sha256', text, 'buffer'), interval],
  );
  expect(rowCount).toBe(1);
}

describe('a code’s lifetime', () => {
  it('ends the code, whichever replica issued it', async () => {
    const strict = await fixture.replica(hardeningOf({ OAUTH2_CODE_LIFETIME_SECONDS: '60' }));
    for (const issuer of [fixture.oauth2, strict]) {
      const [young, old] = [await newCode(issuer, client), await newCode(issuer, client)];
      await age('authorization_codes', young, '30 seconds');
      await age('authorization_codes', old, '60 seconds');
      expect(await outcomeOf(exchange(strict, client, old))).toBe('INVALID_GRANT');
      expect(await outcomeOf(exchange(strict, client, young))).toBe('ok');
    }
  });

  it('is unlimited by default', async () => {
    const code = await newCode(fixture.oauth2, client);
    await age('authorization_codes', code, '10 years');
    expect(await outcomeOf(exchange(fixture.oauth2, client, code))).toBe('ok');
  });
});

describe('a refresh token’s lifetime', () => {
  it('ends the token for exchange, introspection and revocation, whichever replica issued it', async () => {
    const strict = await fixture.replica(hardeningOf({ OAUTH2_REFRESH_TOKEN_LIFETIME_DAYS: '30' }));
    for (const issuer of [fixture.oauth2, strict]) {
      const [young, old] = [await pairOf(issuer), await pairOf(issuer)];
      await age('refresh_tokens', young.refresh_token, '29 days 23 hours');
      await age('refresh_tokens', old.refresh_token, '30 days');
      expect(await introspect(strict, client, old.refresh_token)).toMatchObject({ active: false });
      expect(await introspect(strict, client, young.refresh_token)).toMatchObject({ active: true });
      const { client_id, client_secret } = client;
      const revocation = { token: old.refresh_token, token_type_hint: 'refresh_token' };
      await strict.revokeToken(formOf({ client_id, client_secret, ...revocation }), IN_TIME);
      expect(await introspect(strict, client, old.access_token)).toMatchObject({ active: true });
      expect(await outcomeOf(refresh(strict, client, old.refresh_token))).toBe('INVALID_GRANT');

      const next = await refresh(strict, client, young.refresh_token);
      await age('refresh_tokens', next.refresh_token, '29 days 23 hours');
      expect(await outcomeOf(refresh(strict, client, next.refresh_token)), 'counted anew').toBe('ok');
    }
  });

  it('is unlimited by default', async () => {
    const { refresh_token } = await pairOf(fixture.oauth2);
    await age('refresh_tokens', refresh_token, '10 years');
    expect(await introspect(fixture.oauth2, client, refresh_token)).toMatchObject({ active: true });
    expect(await outcomeOf(refresh(fixture.oauth2, client, refresh_token))).toBe('ok');
  });
});

describe('required S256', () => {
  const VERIFIER = 'v'.repeat(43);
  const S256 = { code_challenge: hash('sha256', VERIFIER, 'base64url'), code_challenge_method: 'S256' };
  const REFUSED: readonly Partial<GrantConsentRequest>[] = [
    {},
    { code_challenge: '' },
    { code_challenge: VERIFIER },
    { code_challenge: VERIFIER, code_challenge_method: 'plain' },
  ];
  let strict: Oauth2;
  beforeAll(async () => {
    strict = await fixture.replica(hardeningOf({ OAUTH2_REQUIRE_S256: 'on' }));
  });

  it('is the only way to a code at consent', async () => {
    for (const scope of ['identify', 'bot', 'bot identify'])
      for (const challenge of REFUSED) {
        expect(await faultOf(newCode(strict, client, { scope, ...challenge }))).toMatchObject({
          reason: 'INVALID_REQUEST',
          message: 'invalid_request: A code_challenge of the method S256 is required.',
        });
        expect(await outcomeOf(newCode(fixture.oauth2, client, { scope, ...challenge })), 'off').toBe('ok');
      }
    const code = await newCode(strict, client, S256);
    expect(await outcomeOf(exchange(strict, client, code, { code_verifier: VERIFIER }))).toBe('ok');
  });

  it('is the only way to a code with prompt=none', async () => {
    await pairOf(fixture.oauth2);
    const refusal = `${REDIRECT_URI}&error=consent_required`;
    for (const challenge of [{}, { code_challenge: VERIFIER }]) {
      expect(await silently(strict, challenge, client.person)).toBe(refusal);
      expect(await silently(fixture.oauth2, challenge, client.person), 'off').toMatch(/&code=[\w-]{43}$/);
    }
    expect(await silently(strict, S256, client.person)).toMatch(/&code=[\w-]{43}$/);
  });

  it('is not required for installing a bot without a redirect URI, although plain is refused there, too', async () => {
    const consent = (challenge: Partial<GrantConsentRequest>) =>
      strict.grantConsent(
        { client_id: client.client_id, scope: 'bot', ...challenge },
        { ...IN_TIME, caller: client.person },
      );
    for (const challenge of [{}, { redirect_uri: '' }, S256])
      expect((await consent(challenge)).redirect_to).toMatch(/^https:\/\/app\.test\?code=[\w-]{43}$/);
    expect(await outcomeOf(consent({ code_challenge: VERIFIER }))).toBe('INVALID_REQUEST');
  });

  it('is checked last', async () => {
    expect(await outcomeOf(newCode(strict, client, { redirect_uri: 'https://evil.test' }))).toBe(
      'INVALID_REDIRECT_URI',
    );
  });

  it('leaves earlier codes unchanged', async () => {
    const code = await newCode(fixture.oauth2, client);
    expect(await outcomeOf(exchange(strict, client, code))).toBe('ok');
  });

  it('is in the metadata', async () => {
    const methodsOf = async (oauth2: Oauth2) =>
      (await oauth2.getServerMetadata({}, IN_TIME)).code_challenge_methods_supported;
    expect(await methodsOf(strict)).toEqual(['S256']);
    expect(await methodsOf(fixture.oauth2)).toEqual(['S256', 'plain']);
  });
});

it('introspection of own tokens only reports those of other applications as inactive', async () => {
  const strict = await fixture.replica(hardeningOf({ OAUTH2_INTROSPECT_OWN_TOKENS_ONLY: 'on' }));
  const pair = await pairOf(strict);
  const other = await newClient(fixture);
  const unknown = await introspect(strict, other, 'unknown');
  for (const token of [pair.access_token, pair.refresh_token]) {
    expect(await introspect(strict, other, token)).toEqual(unknown);
    expect(await introspect(strict, client, token)).toMatchObject({ active: true });
    expect(await introspect(fixture.oauth2, other, token), 'off').toMatchObject({ active: true });
  }
});

describe('the issuer in callbacks', () => {
  const STATE = 'a b';
  const ISS = `iss=${encodeURIComponent(ISSUER)}`;
  let strict: Oauth2;
  beforeAll(async () => {
    strict = await fixture.replica(hardeningOf({ OAUTH2_CALLBACK_ISSUER: 'on' }));
  });

  const consent = async (oauth2: Oauth2) => {
    const request = { client_id: client.client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
    const call = { ...IN_TIME, caller: client.person };
    return (await oauth2.grantConsent({ ...request, state: STATE }, call)).redirect_to;
  };
  const refuse = async (oauth2: Oauth2) => {
    const request = { client_id: client.client_id, redirect_uri: REDIRECT_URI, state: STATE };
    return (await oauth2.refuseConsent(request, { ...IN_TIME, caller: client.person })).redirect_to;
  };
  const grantSilently = (oauth2: Oauth2) => silently(oauth2, { state: STATE }, client.person);
  const refuseSilently = async (oauth2: Oauth2) =>
    silently(oauth2, { state: STATE }, await newPerson(fixture.auth));

  it.each([
    ['consent', consent, /&code=[\w-]{43}&state=a\+b/],
    ['a refusal', refuse, /&error=access_denied&state=a\+b/],
    ['prompt=none', grantSilently, /&code=[\w-]{43}&state=a\+b/],
    ['an error of prompt=none', refuseSilently, /&error=consent_required&state=a\+b/],
  ])('comes last at %s, and matches the metadata', async (_, redirect, parameters) => {
    await pairOf(fixture.oauth2);
    const start = REDIRECT_URI.replaceAll('?', '\\?');
    expect(await redirect(fixture.oauth2), 'off').toMatch(new RegExp(`^${start}${parameters.source}$`));
    const location = await redirect(strict);
    expect(location).toMatch(new RegExp(`^${start}${parameters.source}&${ISS}$`));
    const metadata = await strict.getServerMetadata({}, IN_TIME);
    expect(new URL(location).searchParams.getAll('iss')).toEqual([metadata.issuer]);
    expect(metadata.authorization_response_iss_parameter_supported).toBe(true);
  });

  it('is sent to the web app, too, for a bot’s installation or an error', async () => {
    const bot = { client_id: client.client_id, scope: 'bot' };
    const { redirect_to } = await strict.grantConsent(bot, { ...IN_TIME, caller: client.person });
    expect(redirect_to).toMatch(new RegExp(`^${WEB_APP_URL}\\?code=[\\w-]{43}&${ISS}$`));
    const evil = await silently(strict, { redirect_uri: 'https://evil.test' }, client.person);
    expect(evil).toBe(`${WEB_APP_URL}?error=consent_required&${ISS}`);
  });
});

it('all settings together accept a valid request', async () => {
  const strict = await fixture.replica(
    hardeningOf({
      OAUTH2_CODE_LIFETIME_SECONDS: '60',
      OAUTH2_REFRESH_TOKEN_LIFETIME_DAYS: '30',
      OAUTH2_REQUIRE_S256: 'on',
      OAUTH2_INTROSPECT_OWN_TOKENS_ONLY: 'on',
      OAUTH2_REVOKE_ON_REPLAY: 'on',
      OAUTH2_CALLBACK_ISSUER: 'on',
    }),
  );
  const own = await newClient(fixture);
  const code_verifier = 'w'.repeat(64);
  const challenge = {
    code_challenge: hash('sha256', code_verifier, 'base64url'),
    code_challenge_method: 'S256',
  };
  const code = await newCode(strict, own, challenge);
  const pair = await exchange(strict, own, code, { code_verifier });
  const next = await refresh(strict, own, pair.refresh_token);
  for (const token of [pair.access_token, next.access_token, next.refresh_token])
    expect(await introspect(strict, own, token)).toMatchObject({ active: true, scope: 'email identify' });
});
