import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, whoIs } from '../requests.ts';
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

let service: Oauth2UnderTest;
let replicas: readonly [Oauth2, Oauth2];
beforeAll(async () => {
  service = await startOauth2('oauth2_suspended_account');
  replicas = [service.oauth2, await service.replica()];
});
afterAll(() => service.close());

const suspend = (account_id: string, version = 1) =>
  service.oauth2.setAccountSuspended({ account_id, suspended: true, version }, IN_TIME);
const restore = (account_id: string, version = 2) =>
  service.oauth2.setAccountSuspended({ account_id, suspended: false, version }, IN_TIME);

const newPair = async (client: ClientAndPerson) =>
  exchange(service.oauth2, client, await newCode(service.oauth2, client));

const tokenForm = ({ client_id, client_secret }: ClientAndPerson, token: string) =>
  formOf({ token, client_id, client_secret });

async function silentError(oauth2: Oauth2, { client_id, person: caller }: ClientAndPerson) {
  const query = { client_id, scope: 'identify', redirect_uri: REDIRECT_URI, prompt: 'none' };
  const request = { query: new URLSearchParams(query).toString() };
  const { location } = await oauth2.authorize(request, { ...IN_TIME, caller });
  return new URL(location).searchParams.get('error');
}

describe('of a suspended account', () => {
  it('codes and tokens are refused at both replicas, and accepted again once it is restored', async () => {
    const client = await newClient(service);
    const { account_id } = client.person;
    const pair = await newPair(client);
    const code = await newCode(service.oauth2, client);
    const ofAnother = await newPair({ ...client, person: await newPerson(service.auth) });
    await suspend(account_id);
    for (const oauth2 of replicas) {
      expect(await whoIs(oauth2, pair.access_token)).toBeUndefined();
      expect(await whoIs(oauth2, ofAnother.access_token)).toBeDefined();
      for (const token of [pair.access_token, pair.refresh_token])
        expect(await oauth2.introspectToken(tokenForm(client, token), IN_TIME)).toMatchObject({
          active: false,
          sub: null,
        });
      expect(await outcomeOf(exchange(oauth2, client, code))).toBe('INVALID_GRANT');
      expect(await outcomeOf(refresh(oauth2, client, pair.refresh_token))).toBe('INVALID_GRANT');
      expect(await silentError(oauth2, client)).toBe('consent_required');
    }
    await restore(account_id);
    expect(await whoIs(replicas[1], pair.access_token)).toMatchObject({ account_id });
    expect(await outcomeOf(exchange(replicas[1], client, code))).toBe('ok');
    expect(await outcomeOf(refresh(replicas[1], client, pair.refresh_token))).toBe('ok');
    expect(await silentError(replicas[1], client)).toBeNull();
  });

  it('a consent in progress gets a code that stays dead', async () => {
    const client = await newClient(service);
    await suspend(client.person.account_id);
    const code = await newCode(service.oauth2, client);
    await restore(client.person.account_id);
    expect(await outcomeOf(exchange(service.oauth2, client, code))).toBe('INVALID_GRANT');
  });

  it('a token can be revoked, and does not come back', async () => {
    const client = await newClient(service);
    const pair = await newPair(client);
    await suspend(client.person.account_id);
    await service.oauth2.revokeToken(tokenForm(client, pair.access_token), IN_TIME);
    await restore(client.person.account_id);
    expect(await whoIs(service.oauth2, pair.access_token)).toBeUndefined();
    expect(await outcomeOf(refresh(service.oauth2, client, pair.refresh_token))).toBe('INVALID_GRANT');
  });

  it('the applications are refused as clients, and tokens that others granted them stay valid', async () => {
    const client = await newClient(service);
    const pair = await newPair(client);
    const code = await newCode(service.oauth2, client);
    const other = await newClient(service);
    await suspend(client.owner.account_id);
    for (const oauth2 of replicas) {
      expect(await whoIs(oauth2, pair.access_token)).toBeDefined();
      const seen = await oauth2.introspectToken(tokenForm(other, pair.access_token), IN_TIME);
      expect(seen.active).toBe(true);
      const form = tokenForm(client, pair.access_token);
      const calls = [
        exchange(oauth2, client, code),
        refresh(oauth2, client, pair.refresh_token),
        oauth2.introspectToken(form, IN_TIME),
        oauth2.revokeToken(form, IN_TIME),
        newCode(oauth2, client),
      ];
      const outcomes = await Promise.all(calls.map(outcomeOf));
      expect(outcomes).toEqual(calls.map(() => 'INVALID_CLIENT'));
    }
    await restore(client.owner.account_id);
    expect(await outcomeOf(exchange(replicas[1], client, code))).toBe('ok');
    expect(await outcomeOf(refresh(replicas[1], client, pair.refresh_token))).toBe('ok');
  });
});

test('an older change, and one with the same version, change nothing', async () => {
  const client = await newClient(service);
  const { access_token } = await newPair(client);
  const { account_id } = client.person;
  await suspend(account_id, 5);
  await restore(account_id, 4);
  await restore(account_id, 5);
  expect(await whoIs(service.oauth2, access_token)).toBeUndefined();
  await restore(account_id, 6);
  await suspend(account_id, 5);
  expect(await whoIs(service.oauth2, access_token)).toBeDefined();
});

test('of concurrent changes at both replicas the one with the highest version stays', async () => {
  const client = await newClient(service);
  const { access_token } = await newPair(client);
  const { account_id } = client.person;
  for (const isLastSuspended of [true, false]) {
    const first = isLastSuspended ? 1_000 : 2_000;
    await Promise.all(
      Array.from({ length: 64 }, (_, n) => {
        const suspended = n === 63 ? isLastSuspended : n % 3 === 0;
        const request = { account_id, suspended, version: first + n };
        return (n % 2 === 0 ? replicas[0] : replicas[1]).setAccountSuspended(request, IN_TIME);
      }),
    );
    expect((await whoIs(replicas[0], access_token)) === undefined).toBe(isLastSuspended);
  }
});

test('the suspension of a deleted account is forgotten', async () => {
  const { account_id } = await newPerson(service.auth);
  await suspend(account_id);
  await service.oauth2.endAccount({ account_id }, IN_TIME);
  const { rowCount } = await service.db.query('SELECT FROM suspended_accounts WHERE account_id = $1', [
    account_id,
  ]);
  expect(rowCount).toBe(0);
});

test('a malformed ID is refused', async () => {
  expect(await reasonOf(suspend("'"))).toBe('INVALID_FORM_BODY');
});
