import type { RefuseConsentRequest } from '@gatehouse/proto/oauth2';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { WEB_APP_URL } from '../replicas.ts';
import { IN_TIME, settings } from '../requests.ts';
import { type ClientAndPerson, newClient, outcomeOf, REDIRECT_URI } from '../tokens.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_refuse');
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

async function refuse(changes: Partial<RefuseConsentRequest> = {}): Promise<string> {
  const right = { client_id: client.client_id, redirect_uri: REDIRECT_URI };
  const call = { ...IN_TIME, caller: client.person };
  return (await fixture.oauth2.refuseConsent({ ...right, ...changes }, call)).redirect_to;
}

it('leads to the callback with access_denied and the state, and nothing else', async () => {
  expect(await refuse()).toBe(`${REDIRECT_URI}&error=access_denied`);
  expect(await refuse({ state: '' })).toBe(`${REDIRECT_URI}&error=access_denied`);
  expect(await refuse({ state: 'a b&error=x' })).toBe(
    `${REDIRECT_URI}&error=access_denied&state=a+b%26error%3Dx`,
  );
});

it('returns a state that is not UTF-8, like consent', async () => {
  expect(await refuse({ state: 'x', raw_state: '%ff+%41%' })).toBe(
    `${REDIRECT_URI}&error=access_denied&state=%FF+A%25`,
  );
  expect(await refuse({ raw_state: '' })).toBe(`${REDIRECT_URI}&error=access_denied`);
});

it('leads to the web app without a redirect URI, if consent needs none', async () => {
  for (const scope of [undefined, 'bot'])
    expect(await refuse({ redirect_uri: undefined, scope, state: 's' })).toBe(
      `${WEB_APP_URL}?error=access_denied&state=s`,
    );
  expect(await outcomeOf(refuse({ redirect_uri: undefined, scope: 'identify' }))).toBe(
    'MISSING_REDIRECT_URI',
  );
});

it('needs a redirect URI if the application requires a code grant', async () => {
  const request = settings({ redirect_uris: [REDIRECT_URI], bot_require_code_grant: true });
  const { application } = await fixture.oauth2.createApplication(request, {
    ...IN_TIME,
    caller: client.owner,
  });
  const client_id = application?.id;
  expect(await outcomeOf(refuse({ client_id, redirect_uri: undefined }))).toBe('MISSING_REDIRECT_URI');
  expect(await refuse({ client_id })).toBe(`${REDIRECT_URI}&error=access_denied`);
});

it.each<[string, Partial<RefuseConsentRequest>, string]>([
  ['no client ID', { client_id: undefined }, 'INVALID_CLIENT'],
  ['a malformed one', { client_id: '01' }, 'INVALID_CLIENT'],
  ['an unknown one', { client_id: '7' }, 'INVALID_CLIENT'],
  ['an unknown scope', { scope: 'x' }, 'INVALID_SCOPE'],
  ['an address that is not registered', { redirect_uri: 'https://evil.test/' }, 'INVALID_REDIRECT_URI'],
  ['a registered one with an extra slash', { redirect_uri: `${REDIRECT_URI}/` }, 'INVALID_REDIRECT_URI'],
  ['a NUL', { redirect_uri: '\0' }, 'INVALID_REDIRECT_URI'],
])('with %s leads nowhere', async (_, changes, error) => {
  expect(await outcomeOf(refuse(changes))).toBe(error);
});

it('needs a user, and issues nothing', async () => {
  await expect(fixture.oauth2.refuseConsent({ client_id: client.client_id }, IN_TIME)).rejects.toMatchObject({
    reason: 'UNAUTHORIZED',
  });
  await expect(fixture.oauth2.grantConsent({ client_id: client.client_id }, IN_TIME)).rejects.toMatchObject({
    reason: 'UNAUTHORIZED',
  });
  const { rows } = await fixture.db.query('SELECT 1 FROM authorization_codes');
  expect(rows).toEqual([]);
});
