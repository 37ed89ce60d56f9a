import { reasonOf } from '@gatehouse/dev-env/faults';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson, whoIs } from '../requests.ts';
import { type ClientAndPerson, exchange, newClient, newCode, outcomeOf, refresh } from '../tokens.ts';
import { BY_ALICE } from './operator.ts';

let service: Oauth2UnderTest;
beforeAll(async () => {
  service = await startOauth2('oauth2_account_grants');
});
afterAll(() => service.close());

const listed = async (account_id: string) =>
  (await service.admin.listAccountGrants({ account_id }, IN_TIME)).grants;
const revoke = (account_id: string) =>
  service.admin.revokeAccountGrants({ account_id, ...BY_ALICE }, IN_TIME);

/** Three clients with a code, an access token or a refresh token of one account; the oldest first. */
async function newGrants() {
  const person = await newPerson(service.auth);
  const { account_id } = person;
  const clientOf = async () => ({ ...(await newClient(service)), person });
  const ofTokens = await clientOf();
  const pair = await exchange(service.oauth2, ofTokens, await newCode(service.oauth2, ofTokens));
  const ofRefresh = await clientOf();
  const old = await exchange(service.oauth2, ofRefresh, await newCode(service.oauth2, ofRefresh));
  await service.db.query(
    'UPDATE access_tokens SET expires_at = now() WHERE account_id = $1 AND application_id = $2',
    [account_id, ofRefresh.client_id],
  );
  const ofCode = await clientOf();
  const code = await newCode(service.oauth2, ofCode, { scope: 'guilds identify' });
  return { account_id, ofTokens, pair, ofRefresh, old, ofCode, code };
}

const idsOf = (grants: readonly { application_id: string }[]) =>
  grants.map(({ application_id }) => application_id);

test('the grants of an account are its codes and live tokens by application, the newest first', async () => {
  const { account_id, ofTokens, ofRefresh, ofCode } = await newGrants();
  const grants = await listed(account_id);
  expect(grants).toEqual([
    {
      application_id: ofCode.client_id,
      name: 'Application',
      scopes: ['guilds', 'identify'],
      authorized_at_ms: expect.any(Number),
    },
    expect.objectContaining({ application_id: ofRefresh.client_id, scopes: ['email', 'identify'] }),
    expect.objectContaining({ application_id: ofTokens.client_id, scopes: ['email', 'identify'] }),
  ]);
  expect(await listed((await newPerson(service.auth)).account_id)).toEqual([]);
});

test('all of them can be revoked, and those of other accounts stay', async () => {
  const { account_id, ofTokens, pair, ofRefresh, old, ofCode, code } = await newGrants();
  const neighbour: ClientAndPerson = { ...ofTokens, person: await newPerson(service.auth) };
  const stays = await exchange(service.oauth2, neighbour, await newCode(service.oauth2, neighbour));
  const { revoked } = await revoke(account_id);
  expect(idsOf(revoked)).toEqual([ofCode, ofRefresh, ofTokens].map(({ client_id }) => client_id));
  expect(await listed(account_id)).toEqual([]);
  expect(await whoIs(service.oauth2, pair.access_token)).toBeUndefined();
  expect(await outcomeOf(refresh(service.oauth2, ofTokens, pair.refresh_token))).toBe('INVALID_GRANT');
  expect(await outcomeOf(refresh(service.oauth2, ofRefresh, old.refresh_token))).toBe('INVALID_GRANT');
  expect(await outcomeOf(exchange(service.oauth2, ofCode, code))).toBe('INVALID_GRANT');
  expect(await whoIs(service.oauth2, stays.access_token)).toBeDefined();
  expect((await revoke(account_id)).revoked).toEqual([]);
});

test('a revocation leaves nothing of 64 concurrent exchanges and refreshes at two replicas', async () => {
  const client = await newClient(service);
  const { account_id } = client.person;
  const replicas = [service.oauth2, await service.replica()] as const;
  const codes = await Promise.all(Array.from({ length: 64 }, () => newCode(service.oauth2, client)));
  const pairs = await Promise.all(codes.slice(32).map((code) => exchange(service.oauth2, client, code)));
  const calls = pairs.flatMap(({ refresh_token }, index) => [
    outcomeOf(refresh(replicas[0], client, refresh_token)),
    outcomeOf(exchange(replicas[1], client, codes[index] ?? '')),
  ]);
  await revoke(account_id);
  expect(await listed(account_id)).toEqual([]);
  await Promise.all(calls);
  expect(await listed(account_id)).toEqual([]);
});

test('more than 100 grants are all revoked, and the answer has the newest 100', async () => {
  const { account_id } = await newPerson(service.auth);
  await service.db.query(
    `WITH made AS (
       INSERT INTO applications (id, owner_id, name) SELECT n, 1, 'Many' FROM generate_series(1, 130) AS n RETURNING id)
     INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes, created_at)
     SELECT id, sha256(id::text::bytea), id, $1, '{identify}', now() - interval '1 day' + id * interval '1 minute'
       FROM made`,
    [account_id],
  );
  expect((await listed(account_id)).length).toBe(100);
  const { revoked } = await revoke(account_id);
  expect(revoked.map(({ application_id }) => Number(application_id))).toEqual(
    Array.from({ length: 100 }, (_, index) => 130 - index),
  );
  expect(await listed(account_id)).toEqual([]);
});

test('a grant that comes back meanwhile is revoked too, and is listed once', async () => {
  const { account_id, ofTokens } = await newGrants();
  await service.db.query(
    `CREATE FUNCTION grant_again() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
       INSERT INTO refresh_tokens SELECT (jsonb_populate_record(OLD, '{"id": 7}')).*;
       RETURN NULL;
     END $$`,
  );
  await service.db.query(
    `CREATE TRIGGER grant_again AFTER DELETE ON refresh_tokens
        FOR EACH ROW WHEN (OLD.application_id = ${ofTokens.client_id} AND OLD.id <> 7) EXECUTE FUNCTION grant_again()`,
  );
  const { revoked } = await revoke(account_id);
  await service.db.query('DROP FUNCTION grant_again CASCADE');
  expect(idsOf(revoked).filter((id) => id === ofTokens.client_id)).toHaveLength(1);
  expect(await listed(account_id)).toEqual([]);
});

test('a malformed request is refused', async () => {
  const request = { account_id: '1', ...BY_ALICE };
  for (const wrong of [{ account_id: "'" }, { reason: '' }, { operator: '' }]) {
    const call = service.admin.revokeAccountGrants({ ...request, ...wrong }, IN_TIME);
    expect(await reasonOf(call)).toBe('INVALID_FORM_BODY');
  }
  expect(await reasonOf(listed('x'))).toBe('INVALID_FORM_BODY');
});
