import { faultsOf } from '@gatehouse/kit/fault';
import { ERRORS } from '@gatehouse/proto/errors';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type Edge, startEdge } from './support/edge.ts';
import { type Answer, type HttpClient, httpClient } from './support/http.ts';

// `OAUTH2_ERRORS=rfc6749`: docs/oauth2.md#rfc6749-errors.
const fault = faultsOf(ERRORS);
const ROUTES = {
  'POST /oauth2/token': 'exchangeToken',
  'POST /oauth2/introspect': 'introspectToken',
  'POST /oauth2/token/revoke': 'revokeToken',
};

let edge: Edge;
let client: HttpClient;

beforeAll(async () => {
  edge = await startEdge({ config: { oauth2_errors: 'rfc6749' } });
  // Not `edge.send`, which expects the usual form of errors.
  client = httpClient(edge.host, edge.port);
});
afterAll(async () => {
  client.close();
  await edge.close();
});

function send(line: string, body = 'token=t'): Promise<Answer> {
  return client.send(line, { headers: { 'content-type': 'application/x-www-form-urlencoded' }, body });
}

it.each(Object.entries(ROUTES))('%s answers OAuth2’s own errors by their names', async (line, rpc) => {
  edge.peers.reset();
  const failing = () => Promise.reject(fault('INVALID_CLIENT_SECRET'));
  edge.peers.answers.oauth2 = { [rpc]: failing };
  const answer = await send(line);
  const message = 'invalid_client_secret: The client secret is not that of the application.';
  expect([answer.status, answer.json()]).toEqual([
    401,
    {
      error: 'invalid_client',
      error_description: message,
      code: 'INVALID_CLIENT_SECRET',
      message,
    },
  ]);
  expect(answer.headers.get('content-type')).toBe('application/json');
  expect(answer.headers.get('pragma')).toBe('no-cache');
});

it('other errors have the closest name, and keep their code, members and headers', async () => {
  edge.peers.reset();
  edge.peers.denial = {
    bucket: 'oauth:token',
    limit: 5,
    retry_after_us: 1_500_000,
    empty_after_us: 9_000_000,
  };
  const limited = await send('POST /oauth2/token');
  expect(limited.json()).toMatchObject({
    error: 'temporarily_unavailable',
    code: 'RATE_LIMITED',
    global: false,
    retry_after: 1.5,
  });
  expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '2']);
  edge.peers.reset();
  const long = await send('POST /oauth2/token', 'x'.repeat(70_000));
  expect([long.status, long.json()]).toEqual([
    413,
    expect.objectContaining({ error: 'invalid_request', code: 'PAYLOAD_TOO_LARGE' }),
  ]);
  edge.peers.answers.oauth2 = { exchangeToken: () => Promise.reject(new Error('a fault of ours')) };
  expect((await send('POST /oauth2/token')).json()).toMatchObject({
    error: 'server_error',
    code: 'INTERNAL_SERVER_ERROR',
  });
});

it('a description has only the characters that RFC 6749 allows', async () => {
  edge.peers.reset();
  const message = 'invalid_request: "größer" \\ 😀';
  edge.peers.answers.oauth2 = { exchangeToken: () => Promise.reject(fault('INVALID_REQUEST', { message })) };
  expect((await send('POST /oauth2/token')).json()).toMatchObject({
    error_description: "invalid_request: 'gr??er' ' ?",
    message,
  });
});

it('all other routes keep the usual form', async () => {
  edge.peers.reset();
  const answer = await client.send('GET /users/@me');
  expect(answer.json()).toMatchObject({ error: '401 Unauthorized', code: 'UNAUTHORIZED' });
  const consent = await client.send('POST /oauth2/authorize/consent', { body: {} });
  expect(consent.json()).toMatchObject({ error: '401 Unauthorized' });
});
