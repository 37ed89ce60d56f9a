import { readFileSync } from 'node:fs';
import { ROUTES } from '@gatehouse/gateway/routes';
import { validate } from '@readme/openapi-parser';
import { describe, expect, it } from 'vitest';
import { openApiDocument, openApiText } from './document.ts';

const TEXT = readFileSync(new URL('../../gateway/openapi.json', import.meta.url), 'utf8');

describe('gateway/openapi.json', () => {
  it('is what `npm run generate` writes, twice the same', () => {
    expect(TEXT === openApiText(ROUTES), 'run `npm run generate`').toBe(true);
    expect(openApiText(ROUTES)).toBe(openApiText(ROUTES));
  });

  it('has an operation for every route, and no other', () => {
    const { paths } = openApiDocument(ROUTES) as { paths: Record<string, object> };
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.keys(item).map((verb) => `${verb.toUpperCase()} ${path}`),
    );
    expect(operations.sort()).toEqual(ROUTES.map(({ verb, path }) => `${verb} ${path}`).sort());
  });

  it('refers to existing components alone', () => {
    const { components } = JSON.parse(TEXT);
    const refs = [...TEXT.matchAll(/"#\/components\/(\w+)\/([\w-]+)"/g)];
    expect(refs.length).toBeGreaterThan(1_000);
    for (const [, kind = '', name = ''] of refs) expect(components[kind]).toHaveProperty(name);
  });

  it('has an operation ID for each route', () => {
    const ids = [...TEXT.matchAll(/"operationId": "(\w+)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ROUTES.length);
  });

  it('is valid to a reader that others wrote', async () => {
    const document = JSON.parse(TEXT);
    expect(await validate(structuredClone(document))).toEqual({
      valid: true,
      warnings: [],
      specification: 'OpenAPI',
    });
    const responses = { 204: {} };
    expect(await validate({ ...document, paths: { '/x': { get: { responses } } } })).toMatchObject({
      valid: false,
    });
  });
});
