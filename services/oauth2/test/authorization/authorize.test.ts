import { anonymous } from '@gatehouse/kit/rpc';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { WEB_APP_URL } from '../replicas.ts';
import { botCaller, IN_TIME, newPerson, settings } from '../requests.ts';
import { insertAccessToken } from '../rows.ts';
import { type ClientAndPerson, exchange, newClient, newCode, REDIRECT_URI } from '../tokens.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
/** Has granted identify and email in one token, guilds in another. */
let person: Caller;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_authorize');
  client = await newClient(fixture);
  ({ person } = client);
  for (const scope of ['identify email', 'guilds'])
    await exchange(fixture.oauth2, client, await newCode(fixture.oauth2, client, { scope }));
});
afterAll(() => fixture.close());

async function authorize(query: string, caller: Caller = anonymous): Promise<string> {
  return (await fixture.oauth2.authorize({ query }, { ...IN_TIME, caller })).location;
}

type Parameters = Readonly<Record<string, string>>;

/** A request with prompt=none that is valid except for these parameters. Empty ones are left out. */
function silentQuery(changes: Parameters = {}): string {
  const right = {
    client_id: client.client_id,
    scope: 'identify',
    redirect_uri: REDIRECT_URI,
    response_type: 'code',
    state: 's t/a&t=e',
    prompt: 'none',
  };
  const query = new URLSearchParams({ ...right, ...changes });
  for (const [name, value] of [...query]) if (value === '') query.delete(name);
  return query.toString();
}

const silently = (changes: Parameters = {}, caller: Caller = person) =>
  authorize(silentQuery(changes), caller);

async function codes(): Promise<number> {
  const { rows } = await fixture.db.query<{ count: number }>(
    'SELECT count(*)::integer AS count FROM authorization_codes',
  );
  return rows[0]?.count ?? Number.NaN;
}

const refusal = (error: string, target = REDIRECT_URI) =>
  `${target}${target.includes('?') ? '&' : '?'}error=${error}&state=s+t%2Fa%26t%3De`;

describe('without prompt=none', () => {
  const LONG = `state=${'x'.repeat(16_000)}`;
  it.each([
    ['right parameters', 'client_id=1&scope=identify+email&state=a%20b+c'],
    ['a redirect URI that nobody registered', 'redirect_uri=https://evil.test/&client_id=1'],
    ['parameters that nobody knows', 'x=1&y&=&&z==;'],
    ['repeated parameters', 'scope=identify&scope=bot&client_id=1&client_id=2'],
    ['a NUL', 'state=%00'],
    ['broken percents', 'state=%&scope=%zz&client_id=%e2%28'],
    ['a parameter that resembles another host', '//evil.test/@\\'],
    ['a further question mark', '?prompt=none'],
    ['16 KB', LONG],
    ['another prompt', 'prompt=consent&client_id=1'],
    ['a prompt of several', 'prompt=none%20login'],
  ])('%s goes to the consent page, byte for byte', async (_, query) => {
    for (const caller of [anonymous, person])
      expect(await authorize(query, caller)).toBe(`${WEB_APP_URL}/oauth2/authorize?${query}`);
  });

  it('an empty query is none', async () => {
    expect(await authorize('')).toBe(`${WEB_APP_URL}/oauth2/authorize`);
  });

  it('bytes that are invalid in a URI are percent-encoded', async () => {
    expect(await authorize('state=\t\u00e9\u00ff\f \r\n#x')).toBe(
      `${WEB_APP_URL}/oauth2/authorize?state=%09%E9%FF%0C%20%0D%0A%23x`,
    );
  });
});

describe('with prompt=none', () => {
  it('a user who has already granted every scope gets a code that can be exchanged', async () => {
    const location = await silently({ scope: 'guilds email  identify' });
    const [target, code] = location.split('&code=');
    expect([target, code]).toEqual([
      REDIRECT_URI,
      expect.stringMatching(/^[\w-]{43}&state=s\+t%2Fa%26t%3De$/),
    ]);
    const pair = await exchange(fixture.oauth2, client, code?.slice(0, 43) ?? '');
    expect(pair.scope).toBe('email guilds identify');
  });

  it('the code is bound to the challenge', async () => {
    const challenge = 'c'.repeat(43);
    const location = new URL(await silently({ code_challenge: challenge }));
    const code = location.searchParams.get('code') ?? '';
    await expect(exchange(fixture.oauth2, client, code)).rejects.toMatchObject({ reason: 'INVALID_GRANT' });
    const { token_type } = await exchange(fixture.oauth2, client, code, { code_verifier: challenge });
    expect(token_type).toBe('Bearer');
  });

  it.each([
    ['without state', { state: '' }],
    ['without response_type', { response_type: '' }],
    ['with the bot, which needs no earlier grant', { scope: 'bot identify' }],
    ['with the bot alone', { scope: 'bot' }],
    ['with a guild, into which nothing is installed', { scope: 'bot', guild_id: '11', permissions: '8' }],
  ])('a request %s is valid, too', async (_, changes) => {
    expect((await silently(changes)).startsWith(`${REDIRECT_URI}&code=`)).toBe(true);
  });

  it('the bot alone without a redirect URI leads to the web app', async () => {
    const location = await silently({ scope: 'bot', redirect_uri: '', state: 'x' });
    expect(location).toMatch(/^https:\/\/app\.test\?code=[\w-]{43}&state=x$/);
  });

  it('nobody is signed in with a bot token, an access token, or nothing', async () => {
    const account_id = person.account_id;
    const token = { ...person, kind: CallerKind.CALLER_KIND_ACCESS_TOKEN, scopes: ['identify'], account_id };
    const before = await codes();
    for (const caller of [anonymous, token, botCaller(client.client_id)])
      expect(await silently({}, caller)).toBe(refusal('login_required'));
    expect(await codes()).toBe(before);
  });

  it.each<[string, Parameters, string]>([
    ['missing', { client_id: '' }, 'invalid_client'],
    ['hex', { client_id: '0x10' }, 'invalid_client'],
    ['negative', { client_id: '-1' }, 'invalid_client'],
    ['with a leading zero', { client_id: '01' }, 'invalid_client'],
    ['2^63', { client_id: '9223372036854775808' }, 'invalid_client'],
    ['with a NUL', { client_id: '1\0' }, 'invalid_client'],
    ['unknown', { client_id: '7' }, 'consent_required'],
  ])('a client ID that is %s leads to the web app', async (_, changes, error) => {
    expect(await silently(changes)).toBe(refusal(error, WEB_APP_URL));
    expect(await silently(changes, anonymous)).toBe(refusal('login_required', WEB_APP_URL));
  });

  it.each<[string, Parameters]>([
    ['a scope that was not granted', { scope: 'identify connections' }],
    ['no scope', { scope: '' }],
    ['an unknown scope', { scope: 'identify admin' }],
    ['another response_type', { response_type: 'token' }],
    ['a broken challenge', { code_challenge: 'ü' }],
    ['a method without a challenge', { code_challenge_method: 'S256' }],
    ['negative permissions', { permissions: '-1' }],
    ['two targets', { guild_id: '1', channel_id: '2' }],
    ['a malformed target ID', { guild_id: 'x' }],
  ])('%s needs consent', async (_, changes) => {
    const before = await codes();
    expect(await silently(changes)).toBe(refusal('consent_required'));
    expect(await codes()).toBe(before);
  });

  it.each([
    ['nobody’s', 'https://evil.test/'],
    ['with an extra slash', `${REDIRECT_URI}/`],
    ['in upper case', REDIRECT_URI.replace('client', 'CLIENT')],
    ['with a port', REDIRECT_URI.replace('.test', '.test:443')],
    ['with %2e', REDIRECT_URI.replace('.test', '%2etest')],
    ['with userinfo', REDIRECT_URI.replace('client.test', 'client.test@evil.test')],
    ['with a backslash', REDIRECT_URI.replace('.test/', '.test\\@evil.test/')],
    ['with a fragment', `${REDIRECT_URI}#x`],
    ['with a NUL', `${REDIRECT_URI}\0`],
    ['without its query', REDIRECT_URI.split('?')[0] ?? ''],
    ['of 10 KB', `${REDIRECT_URI}${'x'.repeat(10_240)}`],
    ['a script', 'javascript:alert(1)'],
  ])('a redirect URI %s is never followed', async (_, redirect_uri) => {
    expect(await silently({ redirect_uri })).toBe(refusal('consent_required', WEB_APP_URL));
    expect(await silently({ redirect_uri }, anonymous)).toBe(refusal('login_required', WEB_APP_URL));
  });

  it('a redirect URI of another application is not followed', async () => {
    const request = settings({ redirect_uris: ['https://other.test/'] });
    const { application } = await fixture.oauth2.createApplication(request, {
      ...IN_TIME,
      caller: client.owner,
    });
    const changes = { client_id: application?.id ?? '' };
    expect(await silently(changes)).toBe(refusal('consent_required', WEB_APP_URL));
  });

  it.each([
    ['scope', REDIRECT_URI, 'consent_required'],
    ['prompt', REDIRECT_URI, 'consent_required'],
    ['redirect_uri', WEB_APP_URL, 'consent_required'],
    ['client_id', WEB_APP_URL, 'invalid_client'],
  ])('a repeated %s makes the request invalid', async (name, target, error) => {
    const value = new URLSearchParams(silentQuery()).get(name) ?? '';
    const query = `${silentQuery()}&${new URLSearchParams({ [name]: value })}`;
    expect(await authorize(query, person)).toBe(refusal(error, target));
  });

  it('a repeated state is not returned', async () => {
    expect(await authorize(`${silentQuery()}&state=2`, person)).toBe(
      `${REDIRECT_URI}&error=consent_required`,
    );
  });

  it('a repeated unknown parameter is ignored', async () => {
    expect(await authorize(`${silentQuery()}&x=1&x=2`, person)).toContain('&code=');
  });

  it('a grant counts for its user and its application, while its token is live', async () => {
    const [own, other] = [await newPerson(fixture.auth), await newClient(fixture)];
    const { client_id } = client;
    const scopes = ['identify'];
    await insertAccessToken(fixture.db, {
      application_id: other.client_id,
      account_id: own.account_id,
      scopes,
    });
    expect(await silently({}, own)).toBe(refusal('consent_required'));
    const of = { application_id: client_id, account_id: own.account_id, scopes };
    const { id } = await insertAccessToken(fixture.db, of);
    expect(await silently({}, own)).toContain('&code=');
    await fixture.db.query("UPDATE access_tokens SET expires_at = now() - interval '1 s' WHERE id = $1", [
      id,
    ]);
    expect(await silently({}, own)).toBe(refusal('consent_required'));
  });

  it('the bot of a private application requires its owner', async () => {
    const request = settings({ redirect_uris: [REDIRECT_URI], bot_public: false });
    const { application } = await fixture.oauth2.createApplication(request, {
      ...IN_TIME,
      caller: client.owner,
    });
    const changes = { client_id: application?.id ?? '', scope: 'bot' };
    expect(await silently(changes)).toBe(refusal('consent_required'));
    expect(await silently(changes, client.owner)).toContain('&code=');
  });

  it.each([
    ['%FF%FE', '%FF%FE'],
    ['%ff%C3%28', '%FF%C3%28'],
    ['\xff\x80', '%FF%80'],
    ['%ED%A0%80', '%ED%A0%80'],
    ['%EF%BB%BFx', '%EF%BB%BFx'],
    ['%C3%A9+%20', '%C3%A9++'],
  ])('the state %j is returned with the bytes that were sent', async (sent, returned) => {
    const query = silentQuery({ state: '', scope: 'connections' });
    expect(await authorize(`${query}&state=${sent}`, person)).toBe(
      `${REDIRECT_URI}&error=consent_required&state=${returned}`,
    );
    expect(await authorize(`${query}&st%61te=${sent}`, person)).toMatch(/&state=/);
  });

  it('broken percents and a NUL in the state are no errors', async () => {
    const query = silentQuery({ state: '', scope: 'connections' });
    expect(await authorize(`${query}&state=%&x=%zz`, person)).toBe(
      `${REDIRECT_URI}&error=consent_required&state=%25`,
    );
    expect(await authorize(`${query}&state=%00`, person)).toBe(
      `${REDIRECT_URI}&error=consent_required&state=%00`,
    );
  });
});
