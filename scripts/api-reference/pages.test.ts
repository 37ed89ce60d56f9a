import { readdirSync, readFileSync } from 'node:fs';
import { ROUTES } from '@gatehouse/gateway/routes';
import { describe, expect, it } from 'vitest';
import { span, withBucketTables } from './bucket-tables.ts';
import { withServedColumns } from './served-columns.ts';
import { WORKS_WITH } from './tested-clients.ts';
import { strayLines, withClients } from './works-with.ts';

const DOCS = new URL('../../docs/', import.meta.url);
const LIMITS = readFileSync(new URL('rate-limits.md', DOCS), 'utf8');

interface Rule {
  readonly limit: number;
  readonly window_seconds: number;
  readonly internal?: boolean;
  readonly alias_of?: string;
}
const REFERENCE = new URL('../../proto/gatehouse/ratelimit/v1/buckets.json', import.meta.url);
const RULES = Object.entries(JSON.parse(readFileSync(REFERENCE, 'utf8')) as Record<string, Rule>);

describe('the buckets of docs/rate-limits.md', () => {
  it('are what `npm run generate` writes', () => {
    expect(withBucketTables(LIMITS, ROUTES) === LIMITS, 'run `npm run generate`').toBe(true);
  });

  it('are those of the reference with limit and window, except buckets that services charge', () => {
    const rows = [...LIMITS.matchAll(/^\| (`[a-z].*?) +\| (\d+ in \d+ (?:s|min|h)) +\|/gm)];
    const written = rows.map(([, names = '', limit]) => [names.split(', ')[0], limit]);
    const expected = RULES.filter(
      ([, { internal, alias_of }]) => internal !== true && alias_of === undefined,
    );
    expect(written).toEqual(
      expected.map(([name, { limit, window_seconds }]) => [
        `\`${name}\``,
        `${limit} in ${span(window_seconds)}`,
      ]),
    );
    for (const [name, { alias_of }] of RULES)
      if (alias_of !== undefined) expect(LIMITS).toContain(`| \`${alias_of}\`, \`${name}\` `);
  });

  it('are identified as X-RateLimit-Bucket identifies them', () => {
    // printf channel:message:create | sha256sum
    expect(LIMITS).toMatch(/\| `channel:message:create` .*\| `ee3344e6df339830` /);
  });

  it('are not written into a page without their markers', () => {
    expect(() => withBucketTables('# Rate limits\n', ROUTES)).toThrow(/markers/);
  });
});

describe('the clients of docs/works-with.md', () => {
  const page = readFileSync(new URL('works-with.md', DOCS), 'utf8');

  it('are what `npm run generate` writes', () => {
    expect(withClients(page, WORKS_WITH) === page, 'run `npm run generate`').toBe(true);
  });

  it.each(WORKS_WITH)('$client is run by the test that its row names', ({ client, test }) => {
    const source = readFileSync(new URL(`../../test-e2e/${test}`, import.meta.url), 'utf8').toLowerCase();
    const names = client.toLowerCase().split(/ and | /);
    expect(names.some((name) => source.includes(name))).toBe(true);
  });

  const withCode = WORKS_WITH.filter(({ setup }) => setup !== undefined);

  it.each(withCode)('$client is pointed at an API by code of its test', (row) => {
    expect(strayLines(page, row)).toEqual([]);
  });

  it('have no line that their test does not have', () => {
    const [row] = withCode.filter(({ client }) => client === 'discord.js Client');
    const changed = page.replaceAll('ws: { version: 1 },', 'ws: { version: 2 },');
    expect(row && strayLines(changed, row)).toEqual(['  ws: { version: 2 },']);
  });

  it('have code, unless the tests send payloads only', () => {
    const without = WORKS_WITH.filter(({ setup }) => setup === undefined);
    for (const { client, remarks } of without)
      expect([client, remarks]).toEqual([client, expect.stringContaining('payloads only')]);
  });

  it('are at least those that test-e2e/clients/clients.outer.test.ts runs', () => {
    const list = readFileSync(
      new URL('../../test-e2e/clients/clients.outer.test.ts', import.meta.url),
      'utf8',
    );
    const run = [...list.matchAll(/from '\.\/(.*\.ts)'/g)].map(([, file]) => `clients/${file}`);
    const named = new Set(WORKS_WITH.map(({ test }) => test));
    expect(run.filter((file) => !named.has(file))).toEqual([]);
  });

  it('are pinned by a file', () => {
    const row = { client: 'x', version: { npm: 'no-such-package' }, test: 'x.ts', features: '' };
    expect(() => withClients(page, [row])).toThrow(/no file pins/);
  });
});

describe('a table of routes in docs/', () => {
  const pages = readdirSync(DOCS).filter((page) => page.endsWith('.md'));
  const rows = pages.flatMap((page) =>
    [
      ...readFileSync(new URL(page, DOCS), 'utf8').matchAll(
        /^\| `([A-Z]+ \/\S*)` .* \| (yes|not yet) +\|$/gm,
      ),
    ].map(([, route = '', served = '']) => ({ page, route, served })),
  );
  const served = new Set(ROUTES.map(({ verb, path }) => `${verb} ${path}`));

  it.each(rows)('of $page says whether $route is served', ({ route, served: said }) => {
    expect(said).toBe(served.has(route) ? 'yes' : 'not yet');
  });

  it('gets its last column from the route table', () => {
    const line = (cell: string) => `| \`GET /guilds/{guild_id}\` | a rule | ${cell} |\n`;
    const table = `${line('not yet')}| \`GET /nothing\` | a rule | yes     |\n| other | a | yes |\n`;
    expect(withServedColumns(table, ROUTES)).toBe(
      `${line('yes    ')}| \`GET /nothing\` | a rule | not yet |\n| other | a | yes |\n`,
    );
  });
});
