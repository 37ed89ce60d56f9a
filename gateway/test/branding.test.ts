import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Branding, contrast } from '@gatehouse/kit/process/branding';
import { afterAll, describe, expect, it } from 'vitest';
import { brandPage } from '../src/web/branded-pages.ts';
import { brandingStyle } from '../src/web/branding-style.ts';
import { startEdge } from './support/edge.ts';
import { httpClient } from './support/http.ts';

const web_dir = mkdtempSync(join(tmpdir(), 'gatehouse-branding-'));
const PAGE = `<html><head><title>Home · Gatehouse</title></head>
<body><a class="brand" href="/">Gatehouse</a></body></html>`;
mkdirSync(join(web_dir, 'assets'));
for (const name of ['index', 'index.de', '404']) writeFileSync(join(web_dir, `${name}.html`), PAGE);
afterAll(() => rmSync(web_dir, { recursive: true }));

const BRANDING: Branding = {
  product_name: 'Acme & "Söhne" أكمي',
  logo_url: 'https://cdn.example/logo.svg?a=1&b=2',
  accent_color: '#ffcc00',
  support_url: 'https://acme.example/help',
  legal_url: undefined,
};

describe('a page with the operator’s branding', () => {
  it('has it in the title, the header and for its script, and all of it is escaped', () => {
    const html = brandPage(PAGE, { ...BRANDING, product_name: '<script>$&"’' });
    expect(html).toContain('<title>Home · &#60;script&#62;$&#38;&#34;’</title>');
    expect(html).toContain('<meta name="product-name" content="&#60;script&#62;$&#38;&#34;’" />');
    expect(html).toContain('<img src="https://cdn.example/logo.svg?a=1&#38;b=2" alt="" />');
    expect(html).toContain('<meta name="support-url" content="https://acme.example/help" />');
    expect(html).not.toMatch(/<script|legal-url|Gatehouse/);
  });

  it('is sent compressed and in its language; its policy allows the host of the logo', async () => {
    const edge = await startEdge({ config: { web_dir, branding: BRANDING } });
    const client = httpClient(edge.host, edge.port);
    try {
      const plain = await client.send('GET //', { headers: { 'accept-language': 'de' } });
      expect(plain.text).toContain('Acme &#38; &#34;Söhne&#34; أكمي');
      expect(Object.fromEntries(plain.headers)).toMatchObject({
        'content-language': 'de',
        'content-type': 'text/html; charset=utf-8',
        vary: 'accept-language, accept-encoding',
      });
      expect(plain.headers.get('content-security-policy')).toContain("img-src 'self' https://cdn.example;");
      for (const encoding of ['br', 'gzip']) {
        const small = await client.send('GET //', { headers: { 'accept-encoding': encoding } });
        expect(small.headers.get('content-encoding')).toBe(encoding);
      }
      const style = await client.send('GET //branding.css');
      expect([style.status, style.headers.get('content-type')]).toEqual([200, 'text/css; charset=utf-8']);
      const missing = await client.send('GET //nowhere', { headers: { accept: 'text/html' } });
      expect(missing.status).toBe(404);
      expect(missing.text).toContain('<meta name="product-name"');
    } finally {
      client.close();
      await edge.close();
    }
  });
});

it('an edge with the default branding sends pages as they were built', async () => {
  const branding = {
    product_name: 'Gatehouse',
    logo_url: undefined,
    accent_color: '#3b5bdb',
    support_url: undefined,
    legal_url: undefined,
  };
  const edge = await startEdge({ config: { web_dir, branding } });
  const client = httpClient(edge.host, edge.port);
  try {
    expect((await client.send('GET //')).text).toBe(PAGE);
    expect((await client.send('GET //branding.css')).status).toBe(404);
  } finally {
    client.close();
    await edge.close();
  }
});

describe('the stylesheet of an accent colour', () => {
  it.each(['#3b5bdb', '#ffcc00', '#ffffff', '#000000', '#777777', '#00ff00', '#ff0000', '#0b0f2a'])(
    'has readable colours in both themes for %s',
    (accent) => {
      const colors = brandingStyle(accent).match(/#[0-9a-f]{6}/g) ?? [];
      expect(colors).toHaveLength(6);
      const [light = '', dark = '', lightGround = '', darkGround = '', onLight = '', onDark = ''] = colors;
      for (const [one, other] of [
        [light, '#ffffff'],
        [light, '#eef0f5'],
        [light, lightGround],
        [light, onLight],
        [dark, '#111318'],
        [dark, '#22262e'],
        [dark, darkGround],
        [dark, onDark],
      ] as const)
        expect(contrast(one, other), `${one} on ${other}`).toBeGreaterThanOrEqual(4.5);
    },
  );
});
