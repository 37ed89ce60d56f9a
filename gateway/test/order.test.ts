import { describe, expect, it } from 'vitest';
import { steps, useEdge } from './support/edge.ts';
import { BOT, SESSION } from './support/peers.ts';

const MiB = 1024 * 1024;
const DENIAL = { bucket: 'guild:create', limit: 10, retry_after_us: 1, empty_after_us: 1 };

describe('the order of checks at the edge', () => {
  const edge = useEdge();
  const bearer = { authorization: `Bearer ${SESSION}` };

  it('is identify, limit, invoke', async () => {
    expect((await edge.send('POST /guilds', { headers: bearer, body: { name: 'x' } })).status).toBe(200);
    expect(steps(edge)).toEqual(['identify', 'check', 'createGuild']);
  });

  it('looks up no credential without an Authorization header', async () => {
    expect((await edge.send('GET /webhooks/1/tok')).status).toBe(200);
    expect(steps(edge)).toEqual(['check', 'getTokenWebhook']);
  });

  it.each([
    ['no credential (401)', {}],
    ['a dead credential (401)', { authorization: `Bearer gth_${'x'.repeat(36)}` }],
    ['a broken header (401)', { authorization: 'Bearer  two  spaces' }],
  ])('puts 429 before the error of %s', async (_, headers) => {
    edge.peers.denial = DENIAL;
    expect((await edge.send('POST /guilds', { headers, body: { name: 'x' } })).status).toBe(429);
    edge.peers.denial = undefined;
    expect((await edge.send('POST /guilds', { headers, body: { name: 'x' } })).status).toBe(401);
  });

  it('puts 429 before 403', async () => {
    const headers = { authorization: `Bot ${BOT}` };
    edge.peers.denial = DENIAL;
    expect((await edge.send('POST /oauth2/applications', { headers, body: {} })).status).toBe(429);
    edge.peers.denial = undefined;
    expect((await edge.send('POST /oauth2/applications', { headers, body: {} })).status).toBe(403);
  });

  it('puts 429 before 413', async () => {
    const body = 'x'.repeat(MiB + 1);
    edge.peers.denial = DENIAL;
    expect((await edge.send('POST /guilds', { headers: bearer, body })).status).toBe(429);
    edge.peers.denial = undefined;
    expect((await edge.send('POST /guilds', { headers: bearer, body })).status).toBe(413);
  });

  it.each([
    ['a body', 'POST /guilds', '{'],
    ['an ID of the path', 'GET /guilds/0x1', undefined],
  ])('puts 429 before 400 of %s', async (_, line, body) => {
    const options = { headers: bearer, ...(body === undefined ? {} : { body }) };
    edge.peers.denial = DENIAL;
    expect((await edge.send(line, options)).status).toBe(429);
    edge.peers.denial = undefined;
    expect((await edge.send(line, options)).status).toBe(400);
  });

  it('puts 401 and 403 before 413 and 400, which then count but do not reach the service', async () => {
    const bot = { authorization: `Bot ${BOT}` };
    for (const body of ['{', 'x'.repeat(MiB + 1)]) {
      expect((await edge.send('POST /oauth2/applications', { body })).status).toBe(401);
      expect((await edge.send('POST /oauth2/applications', { headers: bot, body })).status).toBe(403);
    }
    expect((await edge.send('GET /guilds/0x1')).status).toBe(401);
    expect(steps(edge)).toEqual(['check', 'identify', 'check', 'check', 'identify', 'check', 'check']);
  });

  it('puts 413 before 400: a body that is too long is not parsed', async () => {
    const options = { headers: bearer, body: `{${'x'.repeat(MiB)}` };
    const { status, text } = await edge.send('POST /channels/0x1/messages', options);
    expect([status, JSON.parse(text).code]).toEqual([413, 'PAYLOAD_TOO_LARGE']);
    expect(steps(edge)).toEqual(['identify', 'check']);
  });

  it('ends with 400 before the service is called', async () => {
    await edge.send('POST /guilds', { headers: bearer, body: {} });
    expect(steps(edge)).toEqual(['identify', 'check']);
  });

  it.each(['POST /auth/register', 'POST /auth/login', 'POST /auth/forgot'])(
    'reads the body of %s first for its email address, and counts one that is too long',
    async (line) => {
      edge.peers.denial = DENIAL;
      expect((await edge.send(line, { body: 'x'.repeat(64 * 1024) })).status).toBe(429);
      expect((await edge.send(line, { body: 'x'.repeat(64 * 1024 + 1) })).status).toBe(429);
      edge.peers.denial = undefined;
      expect((await edge.send(line, { body: 'x'.repeat(64 * 1024 + 1) })).status).toBe(413);
      expect(steps(edge)).toEqual(['check', 'check', 'check']);
    },
  );

  it('reads the body of PATCH /users/@me first, for admitted callers', async () => {
    const patch = (headers: Record<string, string>, body: string) =>
      edge.send('PATCH /users/@me', { headers, body });
    edge.peers.denial = DENIAL;
    expect((await patch(bearer, '{')).status).toBe(429);
    edge.peers.denial = undefined;
    expect((await patch(bearer, '{')).status).toBe(400);
    const long = 'x'.repeat(15 * MiB);
    expect((await patch(bearer, long)).status).toBe(413);
    expect((await patch({}, long)).status).toBe(401);
    expect((await patch({ authorization: `Bot ${BOT}` }, long)).status).toBe(403);
  });

  it('makes one look-up and one check for a session, and no other call before the service', async () => {
    for (const line of ['GET /users/@me', 'GET /guilds/11', 'GET /auth/sessions', 'POST /auth/logout']) {
      edge.peers.reset();
      await edge.send(line, { headers: bearer });
      expect(steps(edge)).toEqual(['identify', 'check', expect.any(String)]);
    }
  });
});
