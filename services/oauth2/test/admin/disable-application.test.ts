import { reasonOf } from '@gatehouse/dev-env/faults';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { WEB_APP_URL } from '../replicas.ts';
import { changes, IN_TIME, whoIs } from '../requests.ts';
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
import { BY_ALICE } from './operator.ts';

let service: Oauth2UnderTest;
let replicas: readonly [Oauth2, Oauth2];
beforeAll(async () => {
  service = await startOauth2('oauth2_disable_application');
  replicas = [service.oauth2, await service.replica()];
});
afterAll(() => service.close());

const disable = ({ client_id }: ClientAndPerson) =>
  service.admin.disableApplication({ application_id: client_id, ...BY_ALICE }, IN_TIME);
const enable = ({ client_id }: ClientAndPerson) =>
  service.admin.enableApplication({ application_id: client_id, ...BY_ALICE }, IN_TIME);

/** A client with a pair of tokens and a code. */
async function newUsedClient() {
  const client = await newClient(service);
  const pair = await exchange(service.oauth2, client, await newCode(service.oauth2, client));
  return { client, pair, code: await newCode(service.oauth2, client) };
}

/** Whether a token is active, as another client sees it. */
async function isActive(oauth2: Oauth2, { client_id, client_secret }: ClientAndPerson, token: string) {
  return (await oauth2.introspectToken(formOf({ token, client_id, client_secret }), IN_TIME)).active;
}

async function silentLocation(oauth2: Oauth2, { client_id, person: caller }: ClientAndPerson) {
  const query = { client_id, scope: 'identify', redirect_uri: REDIRECT_URI, prompt: 'none' };
  const { location } = await oauth2.authorize(
    { query: new URLSearchParams(query).toString() },
    { ...IN_TIME, caller },
  );
  return new URL(location);
}

describe('a disabled application', () => {
  it('is refused with all its credentials at both replicas, and accepted again once it is enabled', async () => {
    const { client, pair, code } = await newUsedClient();
    const other = await newClient(service);
    const { client_id, client_secret, person } = client;
    const identity = await whoIs(service.oauth2, pair.access_token);
    await disable(client);
    for (const oauth2 of replicas) {
      expect(await whoIs(oauth2, pair.access_token)).toBeUndefined();
      expect(await outcomeOf(exchange(oauth2, client, code))).toBe('INVALID_CLIENT');
      expect(await outcomeOf(refresh(oauth2, client, pair.refresh_token))).toBe('INVALID_CLIENT');
      for (const token of [pair.access_token, pair.refresh_token]) {
        expect(await isActive(oauth2, other, token)).toBe(false);
        const form = formOf({ token, client_id, client_secret });
        expect(await outcomeOf(oauth2.introspectToken(form, IN_TIME))).toBe('INVALID_CLIENT');
        expect(await outcomeOf(oauth2.revokeToken(form, IN_TIME))).toBe('INVALID_CLIENT');
      }
      expect(await outcomeOf(newCode(oauth2, client))).toBe('INVALID_CLIENT');
      const refusal = { client_id, scope: 'identify', redirect_uri: REDIRECT_URI };
      expect(await outcomeOf(oauth2.refuseConsent(refusal, { ...IN_TIME, caller: person }))).toBe(
        'INVALID_CLIENT',
      );
      const location = await silentLocation(oauth2, client);
      expect(location.origin).toBe(WEB_APP_URL);
      expect(location.searchParams.get('error')).toBe('consent_required');
      const holder = {
        ...person,
        kind: CallerKind.CALLER_KIND_ACCESS_TOKEN,
        credential_id: identity?.credential_id ?? '',
      };
      const current = oauth2.getCurrentAuthorization({}, { ...IN_TIME, caller: holder });
      expect(await outcomeOf(current)).toBe('INVALID_TOKEN');
    }
    await enable(client);
    expect(await whoIs(replicas[1], pair.access_token)).toEqual(identity);
    expect(await outcomeOf(exchange(replicas[1], client, code))).toBe('ok');
    expect(await outcomeOf(refresh(replicas[1], client, pair.refresh_token))).toBe('ok');
    expect((await silentLocation(replicas[1], client)).searchParams.get('code')).not.toBeNull();
  });

  it('is refused without a client secret, too', async () => {
    const { client, pair } = await newUsedClient();
    const { client_id, owner } = client;
    await disable(client);
    const { refresh_token } = pair;
    const form = formOf({ grant_type: 'refresh_token', refresh_token, client_id });
    for (const isPublic of [false, true]) {
      const request = { application_id: client_id, ...changes({ public: isPublic }) };
      await service.oauth2.updateApplication(request, { ...IN_TIME, caller: owner });
      expect(await outcomeOf(service.oauth2.exchangeToken(form, IN_TIME))).toBe('INVALID_CLIENT');
    }
    await enable(client);
    expect(await outcomeOf(service.oauth2.exchangeToken(form, IN_TIME))).toBe('ok');
  });

  it('can be revoked by its users and deleted by its owner', async () => {
    const { client, pair } = await newUsedClient();
    const { client_id, person, owner } = client;
    await disable(client);
    await service.oauth2.revokeAuthorizations(
      { application_ids: [client_id] },
      { ...IN_TIME, caller: person },
    );
    await enable(client);
    expect(await whoIs(service.oauth2, pair.access_token)).toBeUndefined();
    await disable(client);
    await service.oauth2.deleteApplication({ application_id: client_id }, { ...IN_TIME, caller: owner });
    expect(await reasonOf(enable(client))).toBe('UNKNOWN_APPLICATION');
  });
});

test('the answers have the application before and after', async () => {
  const client = await newClient(service);
  const first = await disable(client);
  expect(first).toMatchObject({ before: { id: client.client_id, disablement: null }, pending: [] });
  expect(first.after?.disablement).toEqual({ at_ms: expect.any(Number), ...BY_ALICE });
  const again = { application_id: client.client_id, operator: 'bob', reason: ' It also sends spam. ' };
  const second = await service.admin.disableApplication(again, IN_TIME);
  expect(second.before).toEqual(first.after);
  expect(second.after?.disablement).toEqual({
    at_ms: first.after?.disablement?.at_ms,
    operator: 'bob',
    reason: 'It also sends spam.',
  });
  const enabled = await enable(client);
  expect(enabled).toEqual({ before: second.after, after: first.before, pending: [] });
  expect(await enable(client)).toEqual({ before: first.before, after: first.before, pending: [] });
});

describe('a change is refused', () => {
  const cases = {
    'an unknown application': [{ ...BY_ALICE, application_id: '1' }, 'UNKNOWN_APPLICATION'],
    'a malformed ID': [{ ...BY_ALICE, application_id: "'" }, 'UNKNOWN_APPLICATION'],
    'an empty reason': [{ ...BY_ALICE, reason: ' ' }, 'INVALID_FORM_BODY'],
    'a reason of 513 characters': [{ ...BY_ALICE, reason: 'a'.repeat(513) }, 'INVALID_FORM_BODY'],
    'a reason with NUL': [{ ...BY_ALICE, reason: 'a\0' }, 'INVALID_FORM_BODY'],
    'no operator': [{ ...BY_ALICE, operator: '' }, 'INVALID_FORM_BODY'],
    'an operator of 65 characters': [{ ...BY_ALICE, operator: 'a'.repeat(65) }, 'INVALID_FORM_BODY'],
  } as const;
  it.each(Object.entries(cases))('for %s', async (_, [changed, reason]) => {
    const { client_id: application_id } = await newClient(service);
    const request = { application_id, ...changed };
    expect(await reasonOf(service.admin.disableApplication(request, IN_TIME))).toBe(reason);
    expect(await reasonOf(service.admin.enableApplication(request, IN_TIME))).toBe(reason);
  });
});
