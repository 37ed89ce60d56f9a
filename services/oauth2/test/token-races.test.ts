import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { IN_TIME, type Oauth2, type Oauth2UnderTest, startOauth2, whoIs } from './oauth2.ts';
import { type ClientAndPerson, exchange, formOf, newClient, newCode, outcomeOf, refresh } from './tokens.ts';

let suite: Oauth2UnderTest;
let replicas: readonly [Oauth2, Oauth2];
let client: ClientAndPerson;
beforeAll(async () => {
  suite = await startOauth2('oauth2_token_races');
  replicas = [suite.oauth2, await suite.replica()];
  client = await newClient(suite);
});
afterAll(() => suite.close());

const CALLERS = 64;
const ROUNDS = 50;

/** 64 of them at once, by turns at either replica. */
function atOnce<T>(call: (oauth2: Oauth2) => Promise<T>): Promise<T>[] {
  return Array.from({ length: CALLERS }, (_, n) => call(replicas[n % 2 === 0 ? 0 : 1]));
}

async function tokensStored(): Promise<{ access: number; refresh: number }> {
  const { rows } = await suite.db.query<{ access: number; refresh: number }>(
    `SELECT (SELECT count(*)::integer FROM access_tokens) AS access,
            (SELECT count(*)::integer FROM refresh_tokens) AS refresh`,
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error('a count has a row');
  return counts;
}

describe('of many exchanges at once over two replicas one succeeds', () => {
  it('of a code', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const code = await newCode(suite.oauth2, client);
      const before = await tokensStored();
      const outcomes = await Promise.all(atOnce((oauth2) => outcomeOf(exchange(oauth2, client, code))));
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'INVALID_GRANT')).toHaveLength(CALLERS - 1);
      expect(await tokensStored()).toEqual({ access: before.access + 1, refresh: before.refresh + 1 });
    }
  });

  it('of a refresh token', async () => {
    let pair = await exchange(suite.oauth2, client, await newCode(suite.oauth2, client));
    for (let round = 0; round < ROUNDS; round++) {
      const before = await tokensStored();
      const won: (typeof pair)[] = [];
      const outcomes = await Promise.all(
        atOnce((oauth2) =>
          outcomeOf(refresh(oauth2, client, pair.refresh_token).then((next) => won.push(next))),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'INVALID_GRANT')).toHaveLength(CALLERS - 1);
      // The new one is in the place of the old, beside the access tokens of all rounds.
      expect(await tokensStored()).toEqual({ access: before.access + 1, refresh: before.refresh });
      const [next] = won;
      if (next === undefined) throw new Error('one succeeded');
      expect(await whoIs(suite.oauth2, pair.access_token)).toBeDefined();
      pair = next;
    }
  });
});

it('a revocation leaves nothing alive of the refreshes that are in flight', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const pairs = await Promise.all(
      Array.from({ length: 8 }, async () =>
        exchange(suite.oauth2, client, await newCode(suite.oauth2, client)),
      ),
    );
    const [first] = pairs;
    if (first === undefined) throw new Error('there are eight');
    const { client_id, client_secret } = client;
    const form = formOf({ token: first.access_token, client_id, client_secret });
    const refreshes = pairs.map((pair, n) =>
      refresh(replicas[n % 2 === 0 ? 0 : 1], client, pair.refresh_token),
    );
    const [revoked] = await Promise.allSettled([replicas[1].revokeToken(form, IN_TIME), ...refreshes]);
    expect(revoked.status).toBe('fulfilled');
    // A refresh that began after the revocation finds nothing; one before it is deleted with the others.
    expect(await tokensStored()).toEqual({ access: 0, refresh: 0 });
    expect(await whoIs(suite.oauth2, first.access_token)).toBeUndefined();
  }
});

it('codes and refresh tokens of many in other orders do not block each other', async () => {
  const codes = await Promise.all(Array.from({ length: 32 }, () => newCode(suite.oauth2, client)));
  const there = codes.map((code) => outcomeOf(exchange(replicas[0], client, code)));
  const back = codes.toReversed().map((code) => outcomeOf(exchange(replicas[1], client, code)));
  const outcomes = await Promise.all([...there, ...back]);
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(32);
  expect(outcomes.filter((outcome) => outcome === 'INVALID_GRANT')).toHaveLength(32);
});
