import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from '../oauth2.ts';
import { IN_TIME } from '../requests.ts';
import {
  basicOf,
  type ClientAndPerson,
  exchange,
  newClient,
  newCode,
  outcomeOf,
  refresh,
} from '../tokens.ts';

let fixture: Oauth2UnderTest;
let client: ClientAndPerson;
beforeAll(async () => {
  fixture = await startOauth2('oauth2_hostile_forms');
  client = await newClient(fixture);
});
afterAll(() => fixture.close());

const RUNS = { numRuns: 300 };
const FORM = 'application/x-www-form-urlencoded';
const NAMES = [
  'client_id',
  'client_secret',
  'token',
  'token_type_hint',
  'grant_type',
  'code',
  'redirect_uri',
  'code_verifier',
  'refresh_token',
  '__proto__',
];
const OUTCOMES = [
  'INVALID_CLIENT',
  'INVALID_CLIENT_SECRET',
  'INVALID_REQUEST',
  'INVALID_GRANT',
  'UNSUPPORTED_GRANT_TYPE',
];

const text = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.constantFrom('authorization_code', 'refresh_token', '%', '%ff', '%00', '+', '&', '='),
);
const pair = fc.tuple(fc.oneof(fc.constantFrom(...NAMES), text), text);
const body = fc.oneof(
  fc.uint8Array({ maxLength: 200 }),
  fc.array(pair, { maxLength: 8 }).map((pairs) => Buffer.from(pairs.map((each) => each.join('=')).join('&'))),
);
const authorization = fc.option(
  fc.oneof(
    text,
    fc.base64String().map((encoded) => `Basic ${encoded}`),
    fc.tuple(text, text).map(([id, secret]) => basicOf(id, secret)),
  ),
  { nil: undefined },
);

const ROUTES = ['exchangeToken', 'introspectToken', 'revokeToken'] as const;

describe.each(ROUTES)('%s', (rpc) => {
  it('answers any form with an OAuth2 error', async () => {
    const ask = async (form: Uint8Array, header: string | undefined) => {
      const request = { content_type: FORM, body: Buffer.from(form), authorization: header };
      expect(OUTCOMES).toContain(await outcomeOf(fixture.oauth2[rpc](request, IN_TIME)));
    };
    await fc.assert(fc.asyncProperty(body, authorization, ask), RUNS);
  });

  it('consumes and ends nothing for any form of an authenticated client', async () => {
    const code = await newCode(fixture.oauth2, client);
    const { access_token, refresh_token } = await exchange(
      fixture.oauth2,
      client,
      await newCode(fixture.oauth2, client),
    );
    const header = basicOf(client.client_id, client.client_secret);
    const ask = async (form: Uint8Array) => {
      const request = { content_type: FORM, body: Buffer.from(form), authorization: header };
      const outcome = await outcomeOf(fixture.oauth2[rpc](request, IN_TIME));
      expect(rpc === 'exchangeToken' ? OUTCOMES : [...OUTCOMES, 'ok']).toContain(outcome);
    };
    await fc.assert(fc.asyncProperty(body, ask), RUNS);
    const { identity } = await fixture.oauth2.identify({ token: access_token }, IN_TIME);
    expect(identity?.account_id).toBe(client.person.account_id);
    await exchange(fixture.oauth2, client, code);
    await refresh(fixture.oauth2, client, refresh_token);
  });
});
