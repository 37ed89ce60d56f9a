import { untilWaitingForLock } from '@gatehouse/dev-env/postgres/until-waiting-for-lock';
import { type Caller, CallerKind } from '@gatehouse/proto/kit/calls';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, newPerson } from '../requests.ts';
import { type ClientAndPerson, exchange, newClient, newCode, outcomeOf, REDIRECT_URI } from '../tokens.ts';

const ROUNDS = 10;
/** Each has four connections, so that sixteen callers can have one each. */
const REPLICAS = 4;

let fixture: Oauth2UnderTest;
let replicas: Oauth2[];
/** The replica that ends accounts. */
let other: Oauth2;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_consent_end_account');
  replicas = await Promise.all(Array.from({ length: REPLICAS }, () => fixture.replica()));
  other = fixture.oauth2;
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

const password = 'correct horse battery';

/** A new person who has granted the scopes of `consents`, with the session that deletes the account. */
async function newGrantor(): Promise<Caller> {
  const { account_id } = await newPerson(fixture.auth);
  const { user } = await fixture.auth.getCurrentUser(
    {},
    { ...IN_TIME, caller: { ...client.person, account_id } },
  );
  const { token } = await fixture.auth.login({ email: user?.email ?? '', password }, IN_TIME);
  const kind = CallerKind.CALLER_KIND_SESSION;
  const { identity } = await fixture.auth.identify({ kind, token: token ?? '' }, IN_TIME);
  const person = { ...client.person, account_id, credential_id: identity?.credential_id ?? '' };
  await exchange(fixture.oauth2, client, await newCode(fixture.oauth2, { ...client, person }));
  return person;
}

/** Sends concurrent consents, half of them with prompt=none, and returns the codes that were issued. */
function consents(person: Caller, count: number): Promise<string | undefined>[] {
  const leaving = { ...client, person };
  return Array.from({ length: count }, async (_, n) => {
    const oauth2 = replicas[n % REPLICAS] ?? other;
    if (n % (2 * REPLICAS) >= REPLICAS) return silentCode(oauth2, person);
    let code: string | undefined;
    const outcome = await outcomeOf(
      newCode(oauth2, leaving).then((given) => {
        code = given;
      }),
    );
    expect(['ok', 'UNAUTHORIZED']).toContain(outcome);
    return code;
  });
}

async function silentCode(oauth2: Oauth2, caller: Caller): Promise<string | undefined> {
  const query = new URLSearchParams({
    client_id: client.client_id,
    scope: 'identify email',
    redirect_uri: REDIRECT_URI,
    prompt: 'none',
  });
  const { location } = await oauth2.authorize({ query: query.toString() }, { ...IN_TIME, caller });
  const { searchParams } = new URL(location);
  const code = searchParams.get('code') ?? undefined;
  // The tokens are deleted with the account: then the scopes are not granted any more.
  if (code === undefined) expect(['login_required', 'consent_required']).toContain(searchParams.get('error'));
  return code;
}

/** Like auth: deletes the account first, and then its data here. */
async function deleteAccount(caller: Caller): Promise<void> {
  await fixture.auth.deleteCurrentUser({ password }, { ...IN_TIME, caller });
  await other.endAccount({ account_id: caller.account_id }, IN_TIME);
}

async function expectNothingLeft({ account_id }: Caller, codes: (string | undefined)[]): Promise<void> {
  const { rows } = await fixture.db.query(
    `SELECT account_id FROM access_tokens WHERE account_id = $1
     UNION ALL SELECT account_id FROM refresh_tokens WHERE account_id = $1
     UNION ALL SELECT account_id FROM authorization_codes WHERE account_id = $1`,
    [account_id],
  );
  expect(rows).toEqual([]);
  for (const code of codes.filter((one) => one !== undefined))
    expect(await outcomeOf(exchange(fixture.oauth2, client, code))).toBe('INVALID_GRANT');
}

describe('the end of an account', () => {
  it('leaves no code of concurrent consents, in any order', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const person = await newGrantor();
      const calls = consents(person, 32);
      if (round % 2 === 1) await Promise.race(calls);
      const [codes] = await Promise.all([Promise.all(calls), deleteAccount(person)]);
      await expectNothingLeft(person, codes);
    }
  });

  it('leaves no code that is stored after it', async () => {
    const person = await newGrantor();
    const holder = await fixture.db.connect();
    try {
      await holder.query('BEGIN');
      await holder.query('SELECT FROM applications WHERE id = $1 FOR UPDATE', [client.client_id]);
      const calls = consents(person, 16);
      await untilWaitingForLock(fixture.db, 16);
      await deleteAccount(person);
      await holder.query('COMMIT');
      const codes = await Promise.all(calls);
      expect(codes.filter((code) => code !== undefined)).toEqual([]);
      await expectNothingLeft(person, codes);
    } finally {
      holder.release();
    }
  });
});
