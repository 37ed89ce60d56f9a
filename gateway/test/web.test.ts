import { mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Edge, startEdge } from './support/edge.ts';
import { type Answer, httpClient, type SendOptions } from './support/http.ts';
import { checks, SESSION } from './support/peers.ts';

let edge: Edge;
let client: ReturnType<typeof httpClient>;
/** Not the edge's own `send`: pages are cached, unlike answers of the API. */
const send = (line: string, options?: SendOptions): Promise<Answer> => client.send(line, options);
const web_dir = mkdtempSync(join(tmpdir(), 'gatehouse-web-'));
const SCRIPT = 'export const one = 1;';

beforeAll(async () => {
  for (const folder of ['assets', 'oauth2', 'docs/reference', 'guilds'])
    mkdirSync(join(web_dir, folder), { recursive: true });
  writeFileSync(join(web_dir, 'index.html'), '<title>Home</title>');
  writeFileSync(join(web_dir, '404.html'), '<title>Not found</title>');
  writeFileSync(join(web_dir, '404.de.html'), '<title>Nicht gefunden</title>');
  writeFileSync(join(web_dir, '503.html'), '<title>Back in a moment</title>');
  writeFileSync(join(web_dir, '503.de.html'), '<title>Gleich wieder da</title>');
  writeFileSync(join(web_dir, 'oauth2/authorize.html'), '<title>Consent</title>');
  writeFileSync(join(web_dir, 'oauth2/authorize.ar.html'), '<title>الموافقة</title>');
  writeFileSync(join(web_dir, 'oauth2/authorize.de.html'), '<title>Zustimmung</title>');
  writeFileSync(join(web_dir, 'docs/reference/login.html'), '<title>Login</title>');
  writeFileSync(join(web_dir, 'guilds/{id}.html'), '<title>Guild</title>');
  writeFileSync(join(web_dir, 'docs/errors.html'), '<title>Errors</title>');
  writeFileSync(join(web_dir, 'assets/main-D1g3st.js'), SCRIPT);
  writeFileSync(join(web_dir, 'assets/main-D1g3st.js.gz'), gzipSync(SCRIPT));
  edge = await startEdge({ config: { web_dir } });
  client = httpClient(edge.host, edge.port);
});
afterAll(async () => {
  client.close();
  await edge.close();
  rmSync(web_dir, { recursive: true });
});

describe('the web app', () => {
  it.each([
    ['/', 'Home'],
    ['/?code=c&state=s', 'Home'],
    ['/oauth2/authorize', 'Consent'],
    ['/oauth2/authorize?client_id=1&scope=%ff', 'Consent'],
    ['/guilds/1234567890123456789', 'Guild'],
    ['/guilds/7?tab=1', 'Guild'],
  ])('has its page at %s, with a strict policy', async (path, title) => {
    const page = await send(`GET /${path}`);
    expect([page.status, page.text]).toEqual([200, `<title>${title}</title>`]);
    expect(Object.fromEntries(page.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'cache-control': 'no-cache',
      'referrer-policy': 'no-referrer',
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
    });
    const policy = page.headers.get('content-security-policy')?.split('; ');
    for (const directive of ["default-src 'none'", "frame-ancestors 'none'", "trusted-types 'none'"])
      expect(policy).toContain(directive);
    expect(policy?.join()).not.toMatch(/unsafe|\*|https?:|data:|blob:/);
  });

  it.each([
    ['de', 'Zustimmung', 'de'],
    ['de-AT,de;q=0.9,en;q=0.8', 'Zustimmung', 'de'],
    ['en;q=0.5, ar-EG;q=0.7', 'الموافقة', 'ar'],
    ['de;q=0, *', 'Consent', 'en'],
    ['fr-CH, fr;q=0.9', 'Consent', 'en'],
    ['de;q=nonsense', 'Consent', 'en'],
    [',;q=,'.repeat(2000), 'Consent', 'en'],
  ])('answers Accept-Language %.30s in a language that it has', async (accepted, title, language) => {
    const page = await send('GET //oauth2/authorize', { headers: { 'accept-language': accepted } });
    expect([page.status, page.text]).toEqual([200, `<title>${title}</title>`]);
    expect(page.headers.get('content-language')).toBe(language);
    expect(page.headers.get('vary')).toBe('accept-language, accept-encoding');
  });

  it('has the not-found page in languages, and no page at the name of a variant', async () => {
    const headers = { accept: 'text/html', 'accept-language': 'de' };
    const page = await send('GET //oauth2/authorize.de', { headers });
    expect([page.status, page.text]).toEqual([404, '<title>Nicht gefunden</title>']);
    expect(page.headers.get('content-language')).toBe('de');
  });

  it.each([
    ['/oauth2/authorize/', '/oauth2/authorize'],
    ['/oauth2/authorize///?client_id=1', '/oauth2/authorize?client_id=1'],
    ['/guilds/7/', '/guilds/7'],
  ])('redirects %s to its page', async (path, page) => {
    const answer = await send(`GET /${path}`);
    expect([answer.status, answer.headers.get('location')]).toEqual([308, page]);
  });

  const HTML = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } };

  it.each([
    ...['/acount', '/account.html', '/404', '/503', '/oauth2', '//evil.example/', '/%2e%2e/'],
    ...[
      '/guilds/',
      '/guilds/-1',
      '/guilds/7a',
      '/guilds/7/8',
      '/guilds/12345678901234567890',
      '/guilds/{id}',
    ],
    ...['/guilds/%7Bid%7D', '/guilds/{id}/'],
  ])('answers browsers with the not-found page at %s, and others with JSON', async (path) => {
    const page = await send(`GET /${path}`, HTML);
    expect([page.status, page.text]).toEqual([404, '<title>Not found</title>']);
    expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
    const json = await send(`GET /${path}`);
    expect([json.status, JSON.parse(json.text)]).toMatchObject([404, { code: 'NOT_FOUND' }]);
  });

  describe('while oauth2 is away', () => {
    beforeAll(() => edge.peers.stop('oauth2'));
    afterAll(() => edge.peers.restart('oauth2'));

    it.each([
      ['en', 'Back in a moment'],
      ['de-AT', 'Gleich wieder da'],
    ])(
      'answers a person at an address of the API with a page that tries again, in %s',
      async (tag, title) => {
        const page = await send('GET /oauth2/authorize?client_id=1', {
          headers: { ...HTML.headers, 'accept-language': tag },
        });
        expect([page.status, page.text]).toEqual([503, `<title>${title}</title>`]);
        expect(Object.fromEntries(page.headers)).toMatchObject({
          'cache-control': 'no-store',
          'content-type': 'text/html; charset=utf-8',
          refresh: '5',
          'retry-after': '1',
        });
        expect(page.headers.get('content-security-policy')).toContain("default-src 'none'");
      },
    );

    it('answers programs with JSON', async () => {
      const answer = await send('GET /oauth2/authorize?client_id=1', { headers: { accept: '*/*' } });
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([503, { code: 'SERVICE_UNAVAILABLE' }]);
    });
  });

  it('answers a target of 60,000 slashes quickly', async () => {
    const startedAt = performance.now();
    expect((await send(`GET /${'/'.repeat(60_000)}x`, HTML)).status).toBe(404);
    expect(performance.now() - startedAt, 'a pattern took fifteen seconds').toBeLessThan(5_000);
  });

  it.each(['GET /nowhere', 'GET /', 'POST //acount'])(
    'answers %s of the API, and methods other than GET, with JSON',
    async (line) => {
      const answer = await send(line, HTML);
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([404, { code: 'NOT_FOUND' }]);
    },
  );

  it('has assets that are cached for ever, compressed if the client accepts it', async () => {
    const plain = await send('GET //assets/main-D1g3st.js');
    expect([plain.status, plain.text]).toEqual([200, SCRIPT]);
    expect(plain.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(plain.headers.get('content-type')).toMatch(/^(application|text)\/javascript/);
    const small = await send('GET //assets/main-D1g3st.js', { headers: { 'accept-encoding': 'gzip' } });
    expect([small.status, small.headers.get('content-encoding')]).toEqual([200, 'gzip']);
    expect(small.headers.get('vary')).toBe('accept-encoding');
  });

  it.each([
    ['/docs/reference/login', '/docs/reference/{page}'],
    ['/docs/errors', '/docs/{page}'],
    ['/oauth2/authorize', '/oauth2/authorize'],
    ['/guilds/7', '/guilds/{id}'],
  ])('logs and counts %s as %s', async (path, route) => {
    edge.log.length = 0;
    await send(`GET /${path}`);
    await expect.poll(() => edge.log.map((line) => JSON.parse(line).route)).toEqual([route]);
  });

  it('answers 304 for an unchanged asset', async () => {
    const etag = (await send('GET //assets/main-D1g3st.js')).headers.get('etag') ?? '';
    const again = await send('GET //assets/main-D1g3st.js', { headers: { 'if-none-match': etag } });
    expect([again.status, again.text]).toEqual([304, '']);
  });

  it('sends a changed page of the same size and time', async () => {
    const file = join(web_dir, 'oauth2/authorize.html');
    const { atime, mtime } = statSync(file);
    const before = await send('GET //oauth2/authorize');
    writeFileSync(file, '<title>C0nsent</title>');
    utimesSync(file, atime, mtime);
    const validators = {
      'if-none-match': before.headers.get('etag') ?? '"none"',
      'if-modified-since': before.headers.get('last-modified') ?? mtime.toUTCString(),
    };
    try {
      for (const [name, value] of Object.entries(validators)) {
        const after = await send('GET //oauth2/authorize', { headers: { [name]: value } });
        expect([after.status, after.text]).toEqual([200, '<title>C0nsent</title>']);
      }
    } finally {
      writeFileSync(file, '<title>Consent</title>');
    }
  });

  it.each([
    '/index.html',
    '/oauth2/authorize.html',
    '/assets/main-D1g3st.js.gz',
    '/assets/',
    '/assets/../index.html',
    '/assets/%2e%2e/index.html',
    '/assets/..%2findex.html',
    '/assets/%2fetc%2fpasswd',
    '/oauth2/authorize/x',
    '/oauth2%2fauthorize',
  ])('has nothing at %s', async (path) => {
    const answer = await send(`GET /${path}`);
    expect([answer.status, answer.json().code]).toEqual([404, 'NOT_FOUND']);
  });

  it('ignores range requests', async () => {
    const answer = await send('GET //assets/main-D1g3st.js', { headers: { range: 'bytes=99999-' } });
    expect([answer.status, answer.text]).toEqual([200, SCRIPT]);
  });

  it('answers a failed precondition without caching', async () => {
    const answer = await send('GET //assets/main-D1g3st.js', { headers: { 'if-match': '"other"' } });
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([412, 'no-store']);
  });

  it('answers for a deleted file without caching', async () => {
    const file = join(web_dir, 'assets/gone-D1g3st.js');
    writeFileSync(file, SCRIPT);
    const later = await startEdge({ config: { web_dir } });
    const reader = httpClient(later.host, later.port);
    try {
      rmSync(file);
      const answer = await reader.send('GET //assets/gone-D1g3st.js');
      expect([answer.status, answer.json().code]).toEqual([404, 'NOT_FOUND']);
      expect(answer.headers.get('cache-control')).toBe('no-store');
    } finally {
      reader.close();
      await later.close();
    }
  });

  it('is read only', async () => {
    expect((await send('HEAD //oauth2/authorize')).status).toBe(200);
    for (const verb of ['POST', 'PUT', 'DELETE'])
      expect((await send(`${verb} //oauth2/authorize`)).status).toBe(404);
  });

  it('charges nothing and looks up no credential', async () => {
    edge.peers.calls.length = 0;
    await send('GET //oauth2/authorize', { headers: { authorization: `Bearer ${SESSION}` } });
    expect(checks(edge.peers)).toEqual([]);
    expect(edge.peers.calls).toEqual([]);
  });
});

it('an edge without a web app has no pages', async () => {
  const other = await startEdge();
  try {
    expect((await other.send('GET //')).status).toBe(404);
  } finally {
    await other.close();
  }
});

it('an edge does not start with a folder that has no web app', async () => {
  await expect(startEdge({ config: { web_dir: join(web_dir, 'assets') } })).rejects.toThrow(
    /WEB_DIR: .* npm run generate/,
  );
  await expect(startEdge({ config: { web_dir: join(web_dir, 'none') } })).rejects.toThrow(/none/);
});
