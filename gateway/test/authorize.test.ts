import { unavailable } from '@gatehouse/kit/fault';
import { CallerKind } from '@gatehouse/proto/kit/calls';
import { describe, expect, it } from 'vitest';
import { lastRequest, useEdge } from './support/edge.ts';
import { ACCESS_TOKEN, BOT, SESSION } from './support/peers.ts';
import { raw, request } from './support/wire.ts';

const LINE = 'GET /oauth2/authorize';

describe('GET /oauth2/authorize', () => {
  const edge = useEdge();

  it('is 302 with an empty body', async () => {
    const location = 'https://app.test/oauth2/authorize?state=a%20b';
    edge.peers.answers.oauth2 = { authorize: () => ({ location }) };
    const { status, headers, text } = await edge.send(LINE);
    expect([status, headers.get('location'), text]).toEqual([302, location, '']);
    expect([headers.get('content-length'), headers.get('content-type')]).toEqual(['0', null]);
  });

  it.each([
    ['nothing', '', ''],
    ['an empty query', '?', ''],
    ['both encodings of a blank', '?scope=identify+email%20guilds', 'scope=identify+email%20guilds'],
    ['repeated parameters', '?state=1&state=2&x', 'state=1&state=2&x'],
    ['a NUL', '?state=%00', 'state=%00'],
    ['broken percents', '?state=%&scope=%zz%e2%28', 'state=%&scope=%zz%e2%28'],
    ['an invalid client ID', '?client_id=0x1', 'client_id=0x1'],
    ['further question marks and slashes', '??a=/b?c', '?a=/b?c'],
    ['brackets', '?a[b]=c&d[]=e', 'a[b]=c&d[]=e'],
    ['16 KB', `?state=${'x'.repeat(16_384)}`, `state=${'x'.repeat(16_384)}`],
  ])('passes the query to the service unchanged: %s', async (_, query, expected) => {
    expect((await edge.send(LINE + query)).status).toBe(302);
    expect(lastRequest(edge)).toEqual({ query: expected });
  });

  it('accepts characters that are invalid in a query', async () => {
    for (const text of ['#x', '"<>\\^`{|}']) {
      const answer = await raw(edge, Buffer.from(request(`${LINE}?state=${text}`)));
      expect([text, answer.status]).toEqual([text, 302]);
      expect(lastRequest(edge)).toEqual({ query: `state=${text}` });
    }
  });

  it.each([
    ['a session', `Bearer ${SESSION}`, CallerKind.CALLER_KIND_SESSION],
    ['a bot', `Bot ${BOT}`, CallerKind.CALLER_KIND_BOT],
    ['an access token', `Bearer ${ACCESS_TOKEN}`, CallerKind.CALLER_KIND_ACCESS_TOKEN],
    ['a dead session', `Bearer gth_${'A'.repeat(36)}`, CallerKind.CALLER_KIND_UNSPECIFIED],
    ['a broken header', 'Bearer  x', CallerKind.CALLER_KIND_UNSPECIFIED],
  ])('passes the caller of %s to the service, with its kind', async (_, authorization, kind) => {
    expect((await edge.send(LINE, { headers: { authorization } })).status).toBe(302);
    expect(edge.peers.calls.at(-1)?.call.caller.kind).toBe(kind);
  });

  it('never logs its query, which may contain a challenge and a state', async () => {
    await edge.send(`${LINE}?state=s3cret-state&code_challenge=s3cret-challenge`);
    expect(edge.log.join('')).not.toContain('s3cret');
  });

  it('is 503 while the service does not answer', async () => {
    edge.peers.answers.oauth2 = {
      authorize: () => {
        throw unavailable(new Error('no database'));
      },
    };
    expect((await edge.send(LINE)).status).toBe(503);
  });
});
