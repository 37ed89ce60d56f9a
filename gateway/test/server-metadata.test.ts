import { describe, expect, it } from 'vitest';
import { startEdge, useEdge } from './support/edge.ts';
import { checks, SESSION } from './support/peers.ts';

const PATH = '//.well-known/oauth-authorization-server';

describe('the metadata of the authorization server', () => {
  const edge = useEdge();

  it('is at the path of RFC 8414, as JSON, for scripts of any origin', async () => {
    const answer = await edge.send(`GET ${PATH}`);
    expect(answer.status).toBe(200);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'access-control-allow-origin': '*',
      'x-request-id': expect.any(String),
    });
    expect(answer.json()).toMatchObject({
      issuer: 'a issuer',
      token_endpoint: 'a token_endpoint',
      authorization_response_iss_parameter_supported: false,
    });
  });

  it('is not below /api/v1', async () => {
    expect((await edge.send('GET /.well-known/oauth-authorization-server')).status).toBe(404);
  });

  it('charges nothing and looks up no credential', async () => {
    await edge.send(`GET ${PATH}`, { headers: { authorization: `Bearer ${SESSION}` } });
    expect(checks(edge.peers)).toEqual([]);
    expect(edge.peers.calls.map(({ rpc }) => rpc)).toEqual(['getServerMetadata']);
  });

  it('may come as HEAD, with a query, and many at once', async () => {
    expect((await edge.send(`HEAD ${PATH}`)).status).toBe(200);
    expect((await edge.send(`GET ${PATH}?x`)).status).toBe(200);
    const answers = await Promise.all(Array.from({ length: 50 }, () => edge.send(`GET ${PATH}`)));
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  });
});

it('the metadata is 503 while oauth2 is down, and 200 once it is back', async () => {
  const edge = await startEdge();
  try {
    await edge.peers.stop('oauth2');
    const down = await edge.send(`GET ${PATH}`);
    expect([down.status, down.json().code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    await edge.peers.restart('oauth2');
    await expect.poll(async () => (await edge.send(`GET ${PATH}`)).status).toBe(200);
  } finally {
    await edge.close();
  }
});
