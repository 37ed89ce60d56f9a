import { hash } from 'node:crypto';
import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME } from '../requests.ts';
import { type ClientAndPerson, exchange, newClient, newCode } from '../tokens.ts';
import { BY_ALICE } from './operator.ts';

let service: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  service = await startOauth2('oauth2_find_token');
  client = await newClient(service);
});
afterAll(() => service.close());

const fingerprintOf = (secret: string) => hash('sha256', secret, 'hex').slice(0, 16);
const find = async (fingerprint: string) =>
  (await service.admin.findToken({ fingerprint }, IN_TIME)).token ?? undefined;

test('tokens and client secrets are found by their fingerprint', async () => {
  const { client_id: application_id, client_secret, person, owner } = client;
  const { account_id } = person;
  const pair = await exchange(service.oauth2, client, await newCode(service.oauth2, client));
  const access = { kind: 'access token', application_id, account_id };
  expect(await find(fingerprintOf(pair.access_token))).toEqual(access);
  expect(await find(fingerprintOf(pair.access_token).toUpperCase())).toEqual(access);
  expect(await find(fingerprintOf(pair.refresh_token))).toEqual({ ...access, kind: 'refresh token' });
  const secret = { kind: 'client secret', application_id, account_id: null };
  expect(await find(fingerprintOf(client_secret))).toEqual(secret);
  const second = await service.oauth2.createClientSecret({ application_id }, { ...IN_TIME, caller: owner });
  expect(await find(fingerprintOf(second.secret?.client_secret ?? ''))).toEqual(secret);
  expect(await find(fingerprintOf('unknown'))).toBeUndefined();
  await service.admin.disableApplication({ application_id, ...BY_ALICE }, IN_TIME);
  expect(await find(fingerprintOf(pair.access_token))).toEqual(access);
  await service.db.query('UPDATE access_tokens SET expires_at = now() WHERE application_id = $1', [
    application_id,
  ]);
  expect(await find(fingerprintOf(pair.access_token))).toBeUndefined();
});

describe('a fingerprint is refused', () => {
  it.each(['', '0123456789abcde', '0123456789abcdef0', '0123456789abcdeg', '%', "'", 'a'.repeat(10_240)])(
    '%j',
    async (fingerprint) => {
      expect(await reasonOf(find(fingerprint))).toBe('INVALID_FORM_BODY');
    },
  );
});
