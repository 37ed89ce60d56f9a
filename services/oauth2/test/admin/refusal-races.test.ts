import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2, type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME, whoIs } from '../requests.ts';
import { type ClientAndPerson, exchange, formOf, newClient, newCode, outcomeOf, refresh } from '../tokens.ts';
import { BY_ALICE } from './operator.ts';

let service: Oauth2UnderTest;
let replicas: readonly [Oauth2, Oauth2];
let other: ClientAndPerson;
beforeAll(async () => {
  service = await startOauth2('oauth2_refusal_races');
  replicas = [service.oauth2, await service.replica()];
  other = await newClient(service);
});
afterAll(() => service.close());

const CALLS = 64;
const ROUNDS = 5;

type Pair = Awaited<ReturnType<typeof exchange>>;

/** What 64 concurrent calls use: codes, refresh tokens and access tokens, each once. */
interface Grants {
  readonly codes: readonly string[];
  readonly pairs: readonly Pair[];
}

/** The codes one after the other: consents of one account wait for each other anyway, each with a connection. */
async function newGrants(client: ClientAndPerson): Promise<Grants> {
  const codes: string[] = [];
  for (let n = 0; n < CALLS / 2; n++) codes.push(await newCode(service.oauth2, client));
  const spent = codes.splice(CALLS / 4);
  return { codes, pairs: await Promise.all(spent.map((code) => exchange(service.oauth2, client, code))) };
}

/** 64 calls at both replicas. Each returns whether it was accepted; the pairs that they get go to `issued`. */
function callAll(client: ClientAndPerson, { codes, pairs }: Grants, issued: Pair[]): Promise<boolean>[] {
  const isIssued = async (call: Promise<Pair>) =>
    (await outcomeOf(call.then((pair) => issued.push(pair)))) === 'ok';
  const isActive = async (oauth2: Oauth2, token: string) => {
    const { client_id, client_secret } = other;
    return (await oauth2.introspectToken(formOf({ token, client_id, client_secret }), IN_TIME)).active;
  };
  const at = (index: number) => (index % 2 === 0 ? replicas[0] : replicas[1]);
  return [
    ...codes.map((code, index) => isIssued(exchange(at(index), client, code))),
    ...pairs.flatMap(({ access_token, refresh_token }, index) => [
      isIssued(refresh(at(index), client, refresh_token)),
      isActive(at(index), access_token),
      whoIs(at(index), access_token).then((identity) => identity !== undefined),
    ]),
  ];
}

const WAYS = {
  'an application is disabled': {
    refuse: ({ client_id }: ClientAndPerson) =>
      service.admin.disableApplication({ application_id: client_id, ...BY_ALICE }, IN_TIME),
    accept: ({ client_id }: ClientAndPerson) =>
      service.admin.enableApplication({ application_id: client_id, ...BY_ALICE }, IN_TIME),
  },
  'an account is suspended': {
    refuse: ({ person: { account_id } }: ClientAndPerson, version: number) =>
      replicas[1].setAccountSuspended({ account_id, suspended: true, version }, IN_TIME),
    accept: ({ person: { account_id } }: ClientAndPerson, version: number) =>
      replicas[1].setAccountSuspended({ account_id, suspended: false, version }, IN_TIME),
  },
} as const;

describe.each(Object.entries(WAYS))('when %s', (_, { refuse, accept }) => {
  it('nothing gets through after the answer, and no pair of the calls before it works', async () => {
    const client = await newClient(service);
    for (let round = 0; round < ROUNDS; round++) {
      const before = await newGrants(client);
      const after = await newGrants(client);
      const issued: Pair[] = [];
      const calls = callAll(client, before, issued);
      await refuse(client, 2 * round + 1);
      expect(await Promise.all(callAll(client, after, issued))).toEqual(Array(CALLS).fill(false));
      await Promise.all(calls);
      for (const { access_token, refresh_token } of issued) {
        expect(await whoIs(replicas[1], access_token)).toBeUndefined();
        expect(await outcomeOf(refresh(replicas[0], client, refresh_token))).not.toBe('ok');
      }
      await accept(client, 2 * round + 2);
      // Refused calls have consumed nothing.
      const accepted = await Promise.all(callAll(client, after, issued));
      expect(accepted).toEqual(Array(CALLS).fill(true));
    }
  });
});
