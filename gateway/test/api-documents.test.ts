import { readFileSync } from 'node:fs';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { steps, useEdge } from './support/edge.ts';
import { exposed } from './support/every-answer.ts';
import { type HttpClient, httpClient, type SendOptions } from './support/http.ts';
import { charged, SESSION } from './support/peers.ts';

const DOCUMENTS = ['openapi.json', 'asyncapi.json'];
const textOf = (name: string) => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');

describe.each(DOCUMENTS)('/api/v1/%s', (name) => {
  const edge = useEdge();
  /** Not the edge's own `send`: documents are cached, unlike other answers of the API. */
  let http: HttpClient;
  beforeAll(() => {
    http = httpClient(edge.host, edge.port);
  });
  afterAll(() => http.close());
  const get = (headers: SendOptions['headers'] = {}, verb = 'GET') =>
    http.send(`${verb} /${name}`, { headers });
  const etagOf = async (headers?: SendOptions['headers']) => (await get(headers)).headers.get('etag') ?? '';

  it('is the checked-in document, for scripts of any origin and for every cache', async () => {
    const answer = await get({ 'x-request-id': 'a-request' });
    expect([answer.status, answer.text]).toEqual([200, textOf(name)]);
    expect(Object.fromEntries(answer.headers)).toMatchObject({
      'content-type': 'application/json',
      'cache-control': 'public, no-cache',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^"[0-9a-f]{32}"$/),
      'access-control-allow-origin': '*',
      'x-content-type-options': 'nosniff',
      'x-request-id': 'a-request',
    });
    expect(exposed(answer)).toContain('etag');
    expect(JSON.parse(edge.log.join())).toMatchObject({ route: `/${name}`, status: 200, level: 30 });
  });

  it('is 304 for a client that has it', async () => {
    const etag = await etagOf();
    for (const sent of [etag, `W/${etag}`, `"x", W/${etag}`, `"x",${etag},"y"`, '*', ['"x"', etag]]) {
      const answer = await get({ 'if-none-match': sent });
      expect([sent, answer.status, answer.text]).toEqual([sent, 304, '']);
      expect(Object.fromEntries(answer.headers)).toMatchObject({ etag, vary: 'Accept-Encoding' });
      expect(answer.headers.get('content-length')).toBeNull();
    }
    for (const sent of [
      '"x"',
      etag.slice(1, -1),
      `"${etag.slice(1, 9)}"`,
      `"-${etag.slice(1)}`,
      '*, "x"',
      '',
    ])
      expect([sent, (await get({ 'if-none-match': sent })).status]).toEqual([sent, 200]);
  });

  it('answers HEAD as GET, without the body', async () => {
    for (const headers of [{}, { 'if-none-match': await etagOf() }, { 'accept-encoding': 'br' }]) {
      const [head, full] = [await get(headers, 'HEAD'), await get(headers)];
      expect([head.status, head.text]).toEqual([full.status, '']);
      for (const own of ['date', 'x-request-id']) for (const { headers } of [head, full]) headers.delete(own);
      expect(Object.fromEntries(head.headers)).toEqual(Object.fromEntries(full.headers));
    }
  });

  it.each([
    ['br', 'br'],
    ['gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip;q=1.0', 'gzip'],
    ['*', 'br'],
    ['br; q=0.000, *;q=0.1', 'gzip'],
    ['*;q=0, gzip', 'gzip'],
    ['*;q=0', null],
    ['deflate', null],
    ['identity', null],
    ['', null],
    [','.repeat(30_000), null],
  ])('has an encoding that "%s" accepts', async (accepted, encoding) => {
    const { headers, bytes } = await get({ 'accept-encoding': accepted });
    expect(headers.get('content-encoding')).toBe(encoding);
    const plain = { br: brotliDecompressSync, gzip: gunzipSync }[encoding ?? ''] ?? Buffer.from;
    expect(plain(bytes).toString()).toBe(textOf(name));
  });

  it('has a tag for each encoding, which is compared with the encoding that the client accepts', async () => {
    const accepted = ['identity', 'gzip', 'br'];
    const tags = await Promise.all(accepted.map((encoding) => etagOf({ 'accept-encoding': encoding })));
    expect(new Set(tags).size).toBe(3);
    for (const [index, encoding] of accepted.entries())
      for (const [other, tag] of tags.entries()) {
        const { status } = await get({ 'accept-encoding': encoding, 'if-none-match': tag });
        expect([encoding, tag, status]).toEqual([encoding, tag, index === other ? 304 : 200]);
      }
  });

  it('counts against the global bucket with an Authorization header only, as any request without a row', async () => {
    await get();
    expect(steps(edge)).toEqual([]);
    await get({ authorization: `Bearer ${SESSION}` });
    expect(steps(edge)).toEqual(['identify', 'check']);
    expect(charged(edge.peers)).toEqual([[expect.stringMatching(/^global /)]]);
    edge.peers.denial = { bucket: 'global', limit: 50, retry_after_us: 1, empty_after_us: 1 };
    const denied = await edge.send(`GET /${name}`, { headers: { authorization: 'x' } });
    expect([denied.status, denied.json().code]).toEqual([429, 'RATE_LIMITED']);
  });

  it('is for anyone: with a dead or malformed credential too', async () => {
    for (const authorization of [`Bearer gth_${'x'.repeat(36)}`, 'Bearer  x', 'Basic x'])
      expect((await get({ authorization })).status).toBe(200);
  });

  it('ignores a query and a body, and is 404 for other methods', async () => {
    expect((await http.send(`GET /${name}?x=%ff`)).text).toBe(textOf(name));
    expect((await http.send(`GET /${name}`, { body: 'x'.repeat(100_000) })).text).toBe(textOf(name));
    for (const verb of ['POST', 'PUT', 'DELETE'])
      expect((await edge.send(`${verb} /${name}`, { body: '{' })).status).toBe(404);
    expect((await edge.send(`OPTIONS /${name}`)).status).toBe(204);
  });

  it('is the same for many clients at once', async () => {
    const headers = { 'accept-encoding': 'gzip' };
    const answers = await Promise.all(Array.from({ length: 50 }, () => get(headers)));
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    expect(answers[0]?.status).toBe(200);
  });
});
