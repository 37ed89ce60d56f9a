import { describe, expect, it } from 'vitest';
import { linkErrorOf } from '../src/consent/link-error.ts';
import { consentBody, isForBotAlone, readRequest, refusalBody } from '../src/consent/request.ts';

const GOOD = {
  client_id: '1234567890123456789',
  scope: 'identify email',
  redirect_uri: 'https://clock.example/callback?a=%20b',
  state: 'ä&=# +',
  code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
  code_challenge_method: 'S256',
};

function requestWith(change: Record<string, string | undefined>) {
  const all = Object.entries({ ...GOOD, ...change });
  return readRequest(
    `?${new URLSearchParams(all.filter(([, value]) => value !== undefined) as [string, string][])}`,
  );
}

describe('a link to the consent page', () => {
  it('is parsed to the parameters of the API, character by character', () => {
    const request = requestWith({ prompt: 'none', unknown: '1' });
    expect(request.scopes).toEqual(['identify', 'email']);
    expect(consentBody(request, {})).toEqual(GOOD);
    const { client_id, scope, redirect_uri, state } = GOOD;
    expect(refusalBody(request)).toEqual({ client_id, scope, redirect_uri, state });
  });

  it.each(['%FF', 'a%C3%28+%20', '%EF%BF%BD', '%%%%ff'])(
    'keeps the raw state %j, which need not be UTF-8',
    (raw_state) => {
      const request = readRequest(`?client_id=1&scope=bot&st%61te=${raw_state}&x=%FE`);
      expect(consentBody(request, {})).toMatchObject({ raw_state });
      expect(refusalBody(request)).toMatchObject({ raw_state });
    },
  );

  it('counts an empty parameter as absent', () => {
    const request = readRequest('?client_id=1&scope=bot&state=&redirect_uri=&guild_id=');
    expect(request.parameters).toEqual({ client_id: '1', scope: 'bot' });
    expect(isForBotAlone(request)).toBe(true);
    expect(isForBotAlone(readRequest('?scope=bot+bot'))).toBe(true);
    expect(isForBotAlone(readRequest('?scope=bot+identify'))).toBe(false);
  });

  it('sends the choices of the user in the body, not the requested values', () => {
    const request = requestWith({ scope: 'bot', guild_id: '5', permissions: '8' });
    expect(consentBody(request, { guild_id: '6', permissions: 1n << 54n })).toMatchObject({
      guild_id: '6',
      permissions: '18014398509481984',
    });
    expect(consentBody(request, {})).not.toHaveProperty('guild_id');
    expect(consentBody(request, { channel_id: '7' })).not.toHaveProperty('permissions');
  });

  it.each([
    {},
    { state: undefined },
    { response_type: 'code' },
    { code_challenge: undefined, code_challenge_method: undefined },
    { code_challenge: 'x', code_challenge_method: undefined },
    { code_challenge: 'x', code_challenge_method: 'plain' },
    { scope: 'bot', redirect_uri: undefined, response_type: 'token' },
    { scope: 'bot', guild_id: '9223372036854775807', permissions: '0' },
    { scope: 'bot', channel_id: '0' },
    { client_id: '0' },
  ])('is valid with %j', (change) => {
    expect(linkErrorOf(requestWith(change))).toBeUndefined();
  });

  it.each([
    [{ client_id: undefined }, 'client_id'],
    [{ client_id: '' }, 'client_id'],
    [{ client_id: '0x10' }, 'client_id'],
    [{ client_id: '007' }, 'client_id'],
    [{ client_id: '9223372036854775808' }, 'client_id'],
    [{ client_id: '-1' }, 'client_id'],
    [{ client_id: ' 1' }, 'client_id'],
    [{ scope: undefined }, 'scope is missing'],
    [{ scope: ' + ' }, 'scope is missing'],
    [{ scope: 'identify openid toString' }, 'scope may have'],
    [{ response_type: 'token' }, 'response_type'],
    [{ redirect_uri: undefined }, 'redirect_uri'],
    [{ scope: 'bot identify', redirect_uri: undefined }, 'redirect_uri'],
    [{ code_challenge: undefined }, 'needs a code_challenge'],
    [{ code_challenge_method: 's256' }, 'code_challenge_method'],
    [{ code_challenge: 'short' }, 'code_challenge'],
    [{ code_challenge: `${GOOD.code_challenge}=` }, 'code_challenge'],
    [{ code_challenge: 'x'.repeat(129), code_challenge_method: 'plain' }, 'code_challenge'],
    [{ permissions: '-8' }, 'permissions'],
    [{ permissions: '0x8' }, 'permissions'],
    [{ guild_id: '1', channel_id: '2' }, 'guild_id and channel_id'],
    [{ guild_id: 'mine' }, 'guild_id'],
    [{ channel_id: '01' }, 'channel_id'],
  ])('is broken with %j, with a text for its developer', (change, advice) => {
    expect(linkErrorOf(requestWith(change))?.advice).toContain(advice);
  });

  it('never makes the page quote the link', () => {
    for (const name of Object.keys(GOOD)) {
      const { text, advice } = linkErrorOf(requestWith({ [name]: 'Call-us <now>' })) ?? {};
      expect(`${text} ${advice}`).not.toContain('Call-us');
    }
  });

  it('is broken by a repeated parameter', () => {
    const query = `${new URLSearchParams(GOOD)}&state=other`;
    expect(linkErrorOf(readRequest(query))?.advice).toBe('state must be there once.');
  });
});
