import { hash } from 'node:crypto';
import { createLogger } from '@gatehouse/kit/log';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Oauth2UnderTest, startOauth2 } from './oauth2.ts';
import { IN_TIME, newPerson, settings } from './requests.ts';
import { exchange, formOf, newClient, newCode, outcomeOf, refresh } from './tokens.ts';

const lines: string[] = [];
let service: Oauth2UnderTest;
beforeAll(async () => {
  const destination = { write: (line: string) => lines.push(line) };
  const log = createLogger({ name: 'oauth2', level: 'trace', destination });
  service = await startOauth2('oauth2_secrets', { log });
});
afterAll(() => service.close());

test('a client secret and a bot token are in no table and no log', async () => {
  const caller = await newPerson(service.auth);
  const { application } = await service.oauth2.createApplication(settings({ name: 'Planted' }), {
    ...IN_TIME,
    caller,
  });
  const clientSecret = application?.client_secret ?? '';
  const botSecret = application?.bot?.token?.split('.')[1] ?? '';

  const { rows } = await service.db.query<{ row: string }>(
    'SELECT a::text AS row FROM applications AS a UNION ALL SELECT r::text FROM application_reservations AS r',
  );
  const dump = rows.map(({ row }) => row).join('\n');
  expect(dump).toContain('Planted');
  const log = lines.join('');
  expect(log).toContain('Oauth2Service/CreateApplication');
  for (const secret of [clientSecret, botSecret]) {
    expect(secret).toHaveLength(43);
    for (const text of [dump, log]) {
      expect(text).not.toContain(secret);
      expect(text).not.toContain(Buffer.from(secret).toString('hex'));
      expect(text).not.toContain(Buffer.from(secret, 'base64url').toString('hex'));
    }
  }
  expect(dump).toContain(hash('sha256', clientSecret));
});

test('no client secret, code or token is in a table or a log, and no verifier and state in a log', async () => {
  const client = await newClient(service);
  const { client_id, client_secret, person } = client;
  const verifier = `verifier-${'v'.repeat(40)}`;
  const state = 'a-state-that-nobody-logs';
  const secret = { code_challenge: verifier, state };
  const code = await newCode(service.oauth2, client, { state });
  const bound = await newCode(service.oauth2, client, secret);
  const first = await exchange(service.oauth2, client, code);
  const second = await refresh(service.oauth2, client, first.refresh_token);
  const query = new URLSearchParams({ prompt: 'none', client_id, scope: 'identify', state }).toString();
  await service.oauth2.authorize({ query }, { ...IN_TIME, caller: person });
  await service.oauth2.introspectToken(
    formOf({ client_id, client_secret, token: second.access_token }),
    IN_TIME,
  );
  // Refused credentials are not logged either.
  const wrong = { ...client, client_secret: 'another-secret-that-is-wrong' };
  const refused = [
    exchange(service.oauth2, client, code),
    exchange(service.oauth2, client, bound, { code_verifier: `wrong-${verifier}` }),
    exchange(service.oauth2, wrong, bound),
    refresh(service.oauth2, client, first.refresh_token),
  ];
  expect(await Promise.all(refused.map(outcomeOf))).toEqual([
    'INVALID_GRANT',
    'INVALID_GRANT',
    'INVALID_CLIENT_SECRET',
    'INVALID_GRANT',
  ]);

  const { rows } = await service.db.query<{ row: string }>(
    `SELECT t::text AS row FROM applications AS t UNION ALL SELECT t::text FROM authorization_codes AS t
     UNION ALL SELECT t::text FROM access_tokens AS t UNION ALL SELECT t::text FROM refresh_tokens AS t`,
  );
  const dump = rows.map(({ row }) => row).join('\n');
  for (const token of [bound, second.access_token, second.refresh_token])
    expect(dump).toContain(hash('sha256', token));
  const log = lines.join('');
  expect(log).toContain('Oauth2Service/ExchangeToken');
  const tokens = [
    client_secret,
    code,
    bound,
    ...[first, second].flatMap((pair) => [pair.access_token, pair.refresh_token]),
  ];
  for (const token of tokens) for (const text of [dump, log]) expect(text).not.toContain(token);
  for (const text of [verifier, state, wrong.client_secret]) expect(log).not.toContain(text);
});
