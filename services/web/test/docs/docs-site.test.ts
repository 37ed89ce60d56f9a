import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { GUIDES, operationPath } from '../../generate/links.ts';
import { renderInline } from '../../generate/markdown.ts';
import { operationsOf } from '../../generate/openapi.ts';
import { readDocs } from '../../generate/render-docs.tsx';
import { search } from '../../src/docs/search.ts';

const ROOT = new URL('../../../../', import.meta.url);
const textOf = (path: string) => readFileSync(new URL(path, ROOT), 'utf8');
const openapi = JSON.parse(textOf('gateway/openapi.json'));
const site = readDocs({
  openapi,
  asyncapi: JSON.parse(textOf('gateway/asyncapi.json')),
  guides: Object.fromEntries(GUIDES.map(({ name }) => [name, textOf(`docs/${name}.md`)])),
});
const pages = new Map(site.render('/assets/search.json').map((page) => [page.path, page]));
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]*)"/g)].map(([, id = '']) => id);

describe('the pages of /docs', () => {
  it('has one for each operation, with an example in each language', () => {
    const operations = operationsOf(openapi);
    expect(operations.length).toBeGreaterThan(100);
    for (const { operationId } of operations) {
      const { body = '' } = pages.get(operationPath(operationId)) ?? {};
      const languages = [...body.matchAll(/data-language="(\w+)"><pre><code>[\s\S]*?<\/code>/g)];
      expect(languages.map(([, language]) => language)).toEqual(['curl', 'typescript', 'python', 'go']);
      expect(body.match(/data-value="base_url"/g)?.length, operationId).toBe(4);
    }
  });

  it('links only to pages and places that exist', () => {
    const known = new Map([...pages].map(([path, { body }]) => [path, new Set(idsOf(body))]));
    const broken = [...pages.values()].flatMap(({ path, body }) =>
      [...body.matchAll(/href="(\/docs[^"#]*)?(?:#([^"]+))?"/g)]
        .filter(([, page = path, id]) => {
          const ids = known.get(page);
          return ids === undefined || (id !== undefined && !ids.has(id));
        })
        .map(([link]) => `${path}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('has an entry in the search for every page', () => {
    const found = new Set(site.search.map(({ url }) => url.replace(/#.*/, '')));
    expect([...pages.keys()].filter((path) => path !== '/docs' && !found.has(path))).toEqual([]);
  });

  it.each(['sign in', 'login', 'Sign in with'])(
    'leads a search for "%s" to the guide with examples',
    (query) => {
      const found = search(site.search, query).map(({ url }) => url.replace(/#.*/, ''));
      expect(found).toContain('/docs/sign-in-with-gatehouse');
    },
  );

  it('names the part of the documentation above the title', () => {
    for (const { path, body } of pages.values())
      expect(/class="place".*<h1>/s.test(body), path).toBe(path !== '/docs');
  });

  it('has unique titles', () => {
    const titles = [...pages.values()].map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it('shows tags in descriptions as text', () => {
    expect(renderInline('a <b>`c`</b> <img src=x onerror=y> <token>')).toBe(
      'a &lt;b&gt;<code>c</code>&lt;/b&gt; &lt;img src=x onerror=y&gt; &lt;token&gt;',
    );
  });

  it('has unique IDs in each page, and nothing that the policy forbids', () => {
    for (const { path, body } of pages.values()) {
      const ids = idsOf(body);
      const repeated = ids.filter((id, index) => ids.indexOf(id) !== index);
      expect(repeated, path).toEqual([]);
      expect(body, path).not.toMatch(/<script|<style|<[^>]*\s(?:style|on\w+|src)=/);
      expect(body, path).not.toMatch(/href="(?!https?:|\/|#)/);
      expect(body, `${path}: a placeholder was not replaced`).not.toMatch(/[\u{E000}-\u{F8FF}]/u);
    }
  });
});
