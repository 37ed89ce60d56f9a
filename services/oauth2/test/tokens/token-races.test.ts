import { hash } from 'node:crypto';
import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, whoIs } from '../requests.ts';
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

let fixture: Oauth2UnderTest;
let replicas: readonly [Oauth2, Oauth2];
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_token_races');
  replicas = [fixture.oauth2, await fixture.replica()];
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

const CALLERS = 64;
const ROUNDS = 50;

/** 64 concurrent calls, alternating between the replicas. */
function atOnce<T>(call: (oauth2: Oauth2) => Promise<T>): Promise<T>[] {
  return Array.from({ length: CALLERS }, (_, n) => call(replicas[n % 2 === 0 ? 0 : 1]));
}

async function tokensOf({ client_id }: ClientAndPerson): Promise<{ access: number; refresh: number }> {
  const { rows } = await fixture.db.query<{ access: number; refresh: number }>(
    `SELECT (SELECT count(*)::integer FROM access_tokens WHERE application_id = $1) AS access,
            (SELECT count(*)::integer FROM refresh_tokens WHERE application_id = $1) AS refresh`,
    [client_id],
  );
  const [counts] = rows;
  if (counts === undefined) throw new Error('the query returned no row');
  return counts;
}

const silentQuery = ({ client_id }: ClientAndPerson) =>
  new URLSearchParams({
    client_id,
    scope: 'identify email',
    redirect_uri: REDIRECT_URI,
    prompt: 'none',
  }).toString();

/**
 * A code by consent, or by prompt=none if the user has already granted the scopes. Undefined if the user must be asked.
 */
async function codeOf(oauth2: Oauth2, of: ClientAndPerson, isSilent: boolean): Promise<string | undefined> {
  if (!isSilent) return newCode(oauth2, of);
  const { location } = await oauth2.authorize({ query: silentQuery(of) }, { ...IN_TIME, caller: of.person });
  return new URL(location).searchParams.get('code') ?? undefined;
}

describe.each(['by the client', 'by the user, of many'] as const)('a revocation %s', (by) => {
  const newToken = async (of: ClientAndPerson) =>
    (await exchange(fixture.oauth2, of, await newCode(fixture.oauth2, of))).access_token;
  const revoke = (oauth2: Oauth2, of: ClientAndPerson, token: string) => {
    const { client_id, client_secret, person } = of;
    if (by === 'by the client')
      return oauth2.revokeToken(formOf({ token, client_id, client_secret }), IN_TIME);
    return oauth2.revokeAuthorizations({ application_ids: [client_id] }, { ...IN_TIME, caller: person });
  };

  it('ends the unused codes, but not those of others and of later grants', async () => {
    const of = await newClient(fixture);
    const other = { ...client, person: of.person };
    const codes = await Promise.all(Array.from({ length: 5 }, () => newCode(fixture.oauth2, of)));
    const theirs = await newCode(fixture.oauth2, { ...of, person: client.person });
    const ofAnother = await newCode(fixture.oauth2, other);
    await revoke(replicas[1], of, await newToken(of));
    for (const code of codes) expect(await outcomeOf(exchange(replicas[0], of, code))).toBe('INVALID_GRANT');
    expect(await outcomeOf(exchange(replicas[0], of, theirs))).toBe('ok');
    expect(await outcomeOf(exchange(replicas[0], other, ofAnother))).toBe('ok');
    for (const oauth2 of replicas)
      expect(await outcomeOf(exchange(oauth2, of, await newCode(oauth2, of)))).toBe('ok');
  });

  it('leaves no code of concurrent consents, even if they are stored after it', async () => {
    const third = await fixture.replica();
    for (let round = 0; round < 3; round++) {
      const of = await newClient(fixture);
      const token = await newToken(of);
      const holder = await fixture.db.connect();
      try {
        await holder.query('BEGIN');
        await holder.query('SELECT FROM applications WHERE id = $1 FOR UPDATE', [of.client_id]);
        const consents = Array.from({ length: 30 }, (_, n) =>
          codeOf(replicas[n % 2 === 0 ? 0 : 1], of, n % 4 < 2),
        );
        // Of each replica four wait, and the others wait for their connections. The calls came in this order.
        await untilWaitingForLock(fixture.db, 8);
        await Promise.all(replicas.map((oauth2) => oauth2.getServerMetadata({}, IN_TIME)));
        const revoked = revoke(third, of, token);
        await untilWaitingForLock(fixture.db, 9);
        await holder.query('COMMIT');
        await revoked;
        const codes = (await Promise.all(consents)).filter((code) => code !== undefined);
        expect(codes.length).toBeGreaterThanOrEqual(15);
        for (const code of codes)
          expect(await outcomeOf(exchange(fixture.oauth2, of, code))).toBe('INVALID_GRANT');
        const again = await newCode(fixture.oauth2, of);
        expect(await outcomeOf(exchange(fixture.oauth2, of, again))).toBe('ok');
      } finally {
        holder.release();
      }
    }
  });
});

describe('over a user’s limit for an application, the oldest end', () => {
  it('of more than 100 unused codes, even if they are issued at once', async () => {
    const of = await newClient(fixture);
    const oldest = await newCode(fixture.oauth2, of);
    const second = await newCode(fixture.oauth2, of);
    const other = await newCode(fixture.oauth2, { ...of, person: client.person });
    const codes = await Promise.all(
      Array.from({ length: 99 }, (_, n) => newCode(replicas[n % 2 === 0 ? 0 : 1], of)),
    );
    expect(await outcomeOf(exchange(fixture.oauth2, of, oldest))).toBe('INVALID_GRANT');
    for (const code of [second, codes[98] ?? '', other])
      expect(await outcomeOf(exchange(fixture.oauth2, of, code))).toBe('ok');
  });

  it('of more than 100 live access tokens, and their refresh tokens stay valid', async () => {
    const of = await newClient(fixture);
    const code = async () => newCode(fixture.oauth2, of);
    const first = await exchange(fixture.oauth2, of, await code());
    const expired = await exchange(fixture.oauth2, of, await code());
    const second = await exchange(fixture.oauth2, of, await code());
    await fixture.db.query(
      "UPDATE access_tokens SET expires_at = now() - interval '1 s' WHERE token_hash = $1",
      [hash('sha256', expired.access_token, 'buffer')],
    );
    const codes = await Promise.all(Array.from({ length: 99 }, code));
    const pairs = await Promise.all(codes.map((one, n) => exchange(replicas[n % 2 === 0 ? 0 : 1], of, one)));
    const live = async ({ access_token }: { access_token: string }) =>
      (await whoIs(fixture.oauth2, access_token)) !== undefined;
    const areLive = (...pairs: (typeof first)[]) => Promise.all(pairs.map(live));
    await expect.poll(() => areLive(first, second, ...pairs)).toEqual([false, ...Array(100).fill(true)]);
    const next = await refresh(fixture.oauth2, of, first.refresh_token);
    await expect.poll(() => areLive(next, second, ...pairs)).toEqual([true, false, ...Array(99).fill(true)]);
  });

  it('of more than 100 live access tokens that come from concurrent refreshes', async () => {
    const of = await newClient(fixture);
    const tokens = Array.from({ length: 130 }, (_, n) => `${of.client_id} ${n}`);
    await fixture.db.query(
      `INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
       SELECT -10000 - n, sha256(convert_to(token, 'UTF8')), $1, $2, '{identify}'
         FROM unnest($3::text[]) WITH ORDINALITY AS given(token, n)`,
      [of.client_id, of.person.account_id, tokens],
    );
    await Promise.all(tokens.map((token, n) => refresh(replicas[n % 2 === 0 ? 0 : 1], of, token)));
    await expect.poll(() => tokensOf(of)).toEqual({ access: 100, refresh: 130 });
  });

  it('of more than 1,000 refresh tokens', async () => {
    const of = await newClient(fixture);
    const first = await exchange(fixture.oauth2, of, await newCode(fixture.oauth2, of));
    const second = await exchange(fixture.oauth2, of, await newCode(fixture.oauth2, of));
    await fixture.db.query(
      `INSERT INTO refresh_tokens (id, token_hash, application_id, account_id, scopes)
       SELECT -n, sha256(convert_to(n::text, 'UTF8')), $1, $2, '{identify}' FROM generate_series(1, 998) AS n`,
      [of.client_id, of.person.account_id],
    );
    await exchange(fixture.oauth2, of, await newCode(fixture.oauth2, of));
    await expect.poll(async () => (await tokensOf(of)).refresh).toBe(1_000);
    expect(await outcomeOf(refresh(fixture.oauth2, of, first.refresh_token))).toBe('INVALID_GRANT');
    expect(await outcomeOf(refresh(fixture.oauth2, of, second.refresh_token))).toBe('ok');
  });
});

describe('of 64 concurrent exchanges at two replicas one succeeds', () => {
  it('of a code', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const code = await newCode(fixture.oauth2, client);
      const before = await tokensOf(client);
      const outcomes = await Promise.all(atOnce((oauth2) => outcomeOf(exchange(oauth2, client, code))));
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'INVALID_GRANT')).toHaveLength(CALLERS - 1);
      expect(await tokensOf(client)).toEqual({ access: before.access + 1, refresh: before.refresh + 1 });
    }
  });

  it('of a refresh token', async () => {
    const client = await newClient(fixture);
    let pair = await exchange(fixture.oauth2, client, await newCode(fixture.oauth2, client));
    for (let round = 0; round < ROUNDS; round++) {
      const before = await tokensOf(client);
      const won: (typeof pair)[] = [];
      const outcomes = await Promise.all(
        atOnce((oauth2) =>
          outcomeOf(refresh(oauth2, client, pair.refresh_token).then((next) => won.push(next))),
        ),
      );
      expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(1);
      expect(outcomes.filter((outcome) => outcome === 'INVALID_GRANT')).toHaveLength(CALLERS - 1);
      // The new refresh token replaces the old one; access tokens of all rounds stay.
      expect(await tokensOf(client)).toEqual({ access: before.access + 1, refresh: before.refresh });
      const [next] = won;
      if (next === undefined) throw new Error('no refresh succeeded');
      expect(await whoIs(fixture.oauth2, pair.access_token)).toBeDefined();
      pair = next;
    }
  });
});

it('a revocation leaves no token of concurrent refreshes', async () => {
  const client = await newClient(fixture);
  for (let round = 0; round < ROUNDS; round++) {
    const pairs = await Promise.all(
      Array.from({ length: 8 }, async () =>
        exchange(fixture.oauth2, client, await newCode(fixture.oauth2, client)),
      ),
    );
    const [first] = pairs;
    if (first === undefined) throw new Error('there is no first pair');
    const { client_id, client_secret } = client;
    const form = formOf({ token: first.access_token, client_id, client_secret });
    const refreshes = pairs.map((pair, n) =>
      refresh(replicas[n % 2 === 0 ? 0 : 1], client, pair.refresh_token),
    );
    const [revoked] = await Promise.allSettled([replicas[1].revokeToken(form, IN_TIME), ...refreshes]);
    expect(revoked.status).toBe('fulfilled');
    // A refresh that began after the revocation finds nothing; one before it is deleted with the others.
    expect(await tokensOf(client)).toEqual({ access: 0, refresh: 0 });
    expect(await whoIs(fixture.oauth2, first.access_token)).toBeUndefined();
  }
});

it('concurrent refreshes each get their own result, and one with a wrong secret consumes nothing', async () => {
  const [of, other] = [await newClient(fixture), await newClient(fixture)];
  const tokens = await Promise.all(
    Array.from({ length: 60 }, async () => {
      const pair = await exchange(fixture.oauth2, of, await newCode(fixture.oauth2, of));
      return pair.refresh_token;
    }),
  );
  const clients = [
    [of, 'ok'],
    [{ ...of, client_secret: 'wrong' }, 'INVALID_CLIENT_SECRET'],
    [{ ...of, client_id: '1' }, 'INVALID_CLIENT'],
    [other, 'INVALID_GRANT'],
    [{ ...of, client_secret: other.client_secret }, 'INVALID_CLIENT_SECRET'],
  ] as const;
  const caseOf = (n: number) => clients[n % clients.length] ?? clients[0];
  const outcomes = await Promise.all(
    tokens.map((token, n) => outcomeOf(refresh(replicas[n % 2 === 0 ? 0 : 1], caseOf(n)[0], token))),
  );
  expect(outcomes).toEqual(tokens.map((_, n) => caseOf(n)[1]));
  const again = await Promise.all(tokens.map((token) => outcomeOf(refresh(replicas[0], of, token))));
  expect(again).toEqual(tokens.map((_, n) => (caseOf(n)[1] === 'ok' ? 'INVALID_GRANT' : 'ok')));
});

it('exchanges of the same codes in opposite orders do not deadlock', async () => {
  const codes = await Promise.all(Array.from({ length: 32 }, () => newCode(fixture.oauth2, client)));
  const there = codes.map((code) => outcomeOf(exchange(replicas[0], client, code)));
  const back = codes.toReversed().map((code) => outcomeOf(exchange(replicas[1], client, code)));
  const outcomes = await Promise.all([...there, ...back]);
  expect(outcomes.filter((outcome) => outcome === 'ok')).toHaveLength(32);
  expect(outcomes.filter((outcome) => outcome === 'INVALID_GRANT')).toHaveLength(32);
});
