import type { Caller } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { hardeningOf } from '../replicas.ts';
import { IN_TIME, whoIs } from '../requests.ts';
import { type ClientAndPerson, exchange, newClient, newCode, outcomeOf, refresh } from '../tokens.ts';

/** Services with the default and with revocation on replay, on one database. */
let fixture: Oauth2UnderTest;
let strict: readonly [Oauth2, Oauth2];
beforeAll(async () => {
  fixture = await startOauth2('oauth2_replay');
  const hardening = hardeningOf({ OAUTH2_REVOKE_ON_REPLAY: 'on' });
  strict = [await fixture.replica(hardening), await fixture.replica(hardening)];
});
afterAll(() => fixture.close());

async function pairOf(oauth2: Oauth2, client: ClientAndPerson) {
  const code = await newCode(oauth2, client);
  return { code, ...(await exchange(oauth2, client, code)) };
}

/** The rows of a user for an application. */
async function rowsOf({ client_id, person }: ClientAndPerson) {
  const { rows } = await fixture.db.query<{ access: number; refresh: number; consumed: number }>(
    `SELECT (SELECT count(*)::int FROM access_tokens WHERE application_id = $1 AND account_id = $2) AS access,
            (SELECT count(*)::int FROM refresh_tokens WHERE application_id = $1 AND account_id = $2) AS refresh,
            (SELECT count(*)::int FROM consumed_grants WHERE application_id = $1 AND account_id = $2) AS consumed`,
    [client_id, person.account_id],
  );
  return rows[0];
}
const NO_ROWS = { access: 0, refresh: 0, consumed: 0 };

describe('a replay', () => {
  it('of a code by its client ends all tokens of the user for the application, and no others', async () => {
    const client = await newClient(fixture);
    const other = await newClient(fixture);
    const pair = await pairOf(strict[0], client);
    const later = await refresh(strict[0], client, pair.refresh_token);
    const elsewhere = await pairOf(strict[0], { ...other, person: client.person });
    const somebody = await pairOf(strict[0], { ...client, person: other.person });

    expect(await outcomeOf(exchange(strict[1], client, pair.code))).toBe('INVALID_GRANT');
    expect(await rowsOf(client)).toEqual(NO_ROWS);
    for (const { access_token } of [pair, later])
      expect(await whoIs(strict[0], access_token)).toBeUndefined();
    for (const { access_token } of [elsewhere, somebody])
      expect(await whoIs(strict[0], access_token)).toBeDefined();
    expect(await outcomeOf(refresh(strict[0], other, elsewhere.refresh_token))).toBe('ok');
    expect(await outcomeOf(refresh(strict[0], client, somebody.refresh_token))).toBe('ok');
  });

  it('of a refresh token ends them, too, however many were issued since', async () => {
    const client = await newClient(fixture);
    const first = await pairOf(strict[0], client);
    let last = await refresh(strict[0], client, first.refresh_token);
    for (let n = 0; n < 4; n++) last = await refresh(strict[n % 2 === 0 ? 0 : 1], client, last.refresh_token);
    expect(await outcomeOf(refresh(strict[1], client, first.refresh_token))).toBe('INVALID_GRANT');
    expect(await outcomeOf(refresh(strict[0], client, last.refresh_token))).toBe('INVALID_GRANT');
    expect(await rowsOf(client)).toEqual(NO_ROWS);
  });

  it('ends the unused codes, too', async () => {
    const client = await newClient(fixture);
    const { code } = await pairOf(strict[0], client);
    const unused = await newCode(strict[0], client);
    expect(await outcomeOf(exchange(strict[1], client, code))).toBe('INVALID_GRANT');
    expect(await outcomeOf(exchange(strict[0], client, unused))).toBe('INVALID_GRANT');
  });

  it('counts with another redirect URI or verifier', async () => {
    const client = await newClient(fixture);
    for (const changes of [{ redirect_uri: 'https://evil.test' }, { code_verifier: 'v'.repeat(43) }]) {
      const { code } = await pairOf(strict[0], client);
      expect(await outcomeOf(exchange(strict[0], client, code, changes))).toBe('INVALID_GRANT');
      expect(await rowsOf(client)).toEqual(NO_ROWS);
    }
  });

  it('ends a grant once; later grants stay live', async () => {
    const client = await newClient(fixture);
    const dead = await pairOf(strict[0], client);
    const deadToo = await refresh(strict[0], client, dead.refresh_token);
    await outcomeOf(refresh(strict[0], client, dead.refresh_token));
    const live = await pairOf(strict[0], client);
    expect(await outcomeOf(exchange(strict[0], client, dead.code))).toBe('INVALID_GRANT');
    for (const { refresh_token } of [dead, deadToo])
      expect(await outcomeOf(refresh(strict[1], client, refresh_token))).toBe('INVALID_GRANT');
    expect(await whoIs(strict[0], live.access_token)).toBeDefined();
    expect(await rowsOf(client)).toEqual({ access: 1, refresh: 1, consumed: 1 });
  });

  it('by another application ends nothing', async () => {
    const client = await newClient(fixture);
    const other = await newClient(fixture);
    const pair = await pairOf(strict[0], client);
    const next = await refresh(strict[0], client, pair.refresh_token);
    expect(await outcomeOf(exchange(strict[0], other, pair.code))).toBe('INVALID_GRANT');
    expect(await outcomeOf(refresh(strict[0], other, pair.refresh_token))).toBe('INVALID_GRANT');
    const wrong = { ...client, client_secret: 'wrong' };
    expect(await outcomeOf(exchange(strict[0], wrong, pair.code))).toBe('INVALID_CLIENT_SECRET');
    expect(await outcomeOf(refresh(strict[0], wrong, pair.refresh_token))).toBe('INVALID_CLIENT_SECRET');
    expect(await whoIs(strict[0], pair.access_token)).toBeDefined();
    expect(await outcomeOf(refresh(strict[0], client, next.refresh_token))).toBe('ok');
  });

  it('is not detected after 90 days', async () => {
    const client = await newClient(fixture);
    const pair = await pairOf(strict[0], client);
    const { rows } = await fixture.db.query<{ days: number }>(
      `SELECT round(extract(epoch FROM expires_at - now()) / 86400)::int AS days
         FROM consumed_grants WHERE application_id = $1`,
      [client.client_id],
    );
    expect(rows).toEqual([{ days: 90 }]);
    await fixture.db.query(
      "UPDATE consumed_grants SET expires_at = now() - interval '1 s' WHERE application_id = $1",
      [client.client_id],
    );
    expect(await outcomeOf(exchange(strict[0], client, pair.code))).toBe('INVALID_GRANT');
    expect(await whoIs(strict[0], pair.access_token)).toBeDefined();
  });
});

it('a refusal is no replay: a failed check, an unknown code, one of another application', async () => {
  const client = await newClient(fixture);
  const other = await newClient(fixture);
  const { access_token } = await pairOf(strict[0], client);
  const code = await newCode(strict[0], client);
  for (const changes of [{ redirect_uri: 'https://evil.test' }, { code_verifier: 'v'.repeat(43) }])
    for (let n = 0; n < 2; n++)
      expect(await outcomeOf(exchange(strict[0], client, code, changes))).toBe('INVALID_GRANT');
  expect(await outcomeOf(exchange(strict[0], other, code))).toBe('INVALID_GRANT');
  for (let n = 0; n < 2; n++) {
    expect(await outcomeOf(exchange(strict[0], client, 'unknown'))).toBe('INVALID_GRANT');
    expect(await outcomeOf(refresh(strict[0], client, 'unknown'))).toBe('INVALID_GRANT');
  }
  expect(await whoIs(strict[0], access_token)).toBeDefined();
  expect(await outcomeOf(exchange(strict[0], client, code))).toBe('ok');
});

it('by default a replay ends nothing and nothing is remembered', async () => {
  const client = await newClient(fixture);
  const pair = await pairOf(fixture.oauth2, client);
  const next = await refresh(fixture.oauth2, client, pair.refresh_token);
  expect(await outcomeOf(exchange(fixture.oauth2, client, pair.code))).toBe('INVALID_GRANT');
  expect(await outcomeOf(refresh(fixture.oauth2, client, pair.refresh_token))).toBe('INVALID_GRANT');
  expect(await rowsOf(client)).toEqual({ access: 2, refresh: 1, consumed: 0 });
  expect(await outcomeOf(refresh(fixture.oauth2, client, next.refresh_token))).toBe('ok');
});

const CALLERS = 64;
const ROUNDS = 10;

describe('of 64 concurrent exchanges at two replicas one succeeds, and nothing of the grant is live afterwards', () => {
  const atOnce = (call: (oauth2: Oauth2) => Promise<unknown>) =>
    Promise.all(Array.from({ length: CALLERS }, (_, n) => outcomeOf(call(strict[n % 2 === 0 ? 0 : 1]))));
  const expectOne = (outcomes: readonly string[]) => {
    expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome === 'INVALID_GRANT')).toHaveLength(CALLERS - 1);
  };

  it('of a code', async () => {
    const client = await newClient(fixture);
    for (let round = 0; round < ROUNDS; round++) {
      const earlier = await pairOf(strict[0], client);
      const code = await newCode(strict[0], client);
      expectOne(await atOnce((oauth2) => exchange(oauth2, client, code)));
      expect(await rowsOf(client)).toEqual(NO_ROWS);
      expect(await whoIs(strict[1], earlier.access_token)).toBeUndefined();
    }
  });

  it('of a refresh token', async () => {
    const client = await newClient(fixture);
    for (let round = 0; round < ROUNDS; round++) {
      const { refresh_token } = await pairOf(strict[0], client);
      expectOne(await atOnce((oauth2) => refresh(oauth2, client, refresh_token)));
      expect(await rowsOf(client)).toEqual(NO_ROWS);
    }
  });
});

it('a replay leaves nothing live of concurrent refreshes', async () => {
  const client = await newClient(fixture);
  for (let round = 0; round < ROUNDS; round++) {
    const pairs = await Promise.all(Array.from({ length: 16 }, () => pairOf(strict[0], client)));
    const [first] = pairs;
    if (first === undefined) throw new Error('there is no first pair');
    const refreshes = pairs
      .slice(1)
      .map(({ refresh_token }, n) => outcomeOf(refresh(strict[n % 2 === 0 ? 0 : 1], client, refresh_token)));
    const replay = outcomeOf(exchange(strict[1], client, first.code));
    for (const outcome of await Promise.all(refreshes)) expect(['ok', 'INVALID_GRANT']).toContain(outcome);
    expect(await replay).toBe('INVALID_GRANT');
    expect(await rowsOf(client)).toMatchObject({ access: 0, refresh: 0 });
  }
});

it('many grants are exchanged, replayed and revoked concurrently, without deadlock', async () => {
  const client = await newClient(fixture);
  const people = await Promise.all(Array.from({ length: 8 }, async () => (await newClient(fixture)).person));
  const held = people.map((person: Caller) => ({ ...client, person }));
  for (let round = 0; round < 5; round++) {
    const pairs = await Promise.all(held.map((one) => pairOf(strict[0], one)));
    const calls = held.flatMap((one, n) => {
      const { code = '', refresh_token = '' } = pairs[n] ?? {};
      const revocation = { application_ids: [client.client_id] };
      return [
        outcomeOf(refresh(strict[0], client, refresh_token)),
        outcomeOf(refresh(strict[1], client, refresh_token)),
        outcomeOf(exchange(strict[1], client, code)),
        outcomeOf(strict[0].revokeAuthorizations(revocation, { ...IN_TIME, caller: one.person })),
      ];
    });
    for (const outcome of await Promise.all(calls)) expect(['ok', 'INVALID_GRANT']).toContain(outcome);
    for (const one of held) expect(await rowsOf(one)).toMatchObject({ access: 0, refresh: 0 });
  }
});

describe('what is remembered', () => {
  const remembered = async (application_id: string) =>
    (await fixture.db.query('SELECT FROM consumed_grants WHERE application_id = $1', [application_id]))
      .rowCount;

  it('is deleted with the application', async () => {
    const client = await newClient(fixture);
    await pairOf(strict[0], client);
    expect(await remembered(client.client_id)).toBe(1);
    const call = { ...IN_TIME, caller: client.owner };
    await strict[0].deleteApplication({ application_id: client.client_id }, call);
    expect(await remembered(client.client_id)).toBe(0);
  });

  it('is deleted with the account that granted it, and with the owner’s', async () => {
    for (const leaving of ['person', 'owner'] as const) {
      const client = await newClient(fixture);
      await pairOf(strict[0], client);
      expect(await remembered(client.client_id)).toBe(1);
      await strict[0].endAccount({ account_id: client[leaving].account_id }, IN_TIME);
      expect(await remembered(client.client_id)).toBe(0);
    }
  });
});
