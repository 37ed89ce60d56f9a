import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderStatuspage } from '../src/statuspage/render.ts';
import { expectEmbedLimits } from './expect-embed-limits.ts';

const FOLDER = new URL('golden/statuspage/', import.meta.url);
const payloads = readdirSync(FOLDER).map((file) => ({
  file,
  payload: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')).payload as Json,
}));

type Json = Readonly<Record<string, unknown>>;

const OTHERS: readonly unknown[] = [
  undefined,
  null,
  true,
  0,
  -1.5,
  1e300,
  '',
  ' ',
  '\0',
  '\ud800',
  '\u202e',
  'javascript:alert(1)',
  'x'.repeat(9000),
  '🚪'.repeat(9000),
  [],
  [null, 7, 'x', [[]]],
  {},
  JSON.parse('{"__proto__":{"name":"x"},"constructor":1,"toString":null,"length":-1}'),
];

/** It renders nothing, or what chat takes. */
function expectSound(payload: Json): void {
  const rendering = renderStatuspage(payload);
  if ('message' in rendering) expectEmbedLimits(rendering.message);
  else expect(['section_missing', 'name_missing']).toContain(rendering.nothing);
}

describe('whatever the payload is, it renders nothing or an embed within all limits', () => {
  it.each(payloads)('each member of $file deleted, null or of another type', ({ payload }) => {
    let mutations = 0;
    for (const path of pathsOf(payload)) {
      for (const other of OTHERS) {
        expectSound(replaced(payload, path, other) as Json);
        mutations++;
      }
    }
    expect(mutations).toBeGreaterThan(15 * OTHERS.length);
  });

  it('any number of members at once', () => {
    const value = fc.oneof(fc.jsonValue({ stringUnit: 'binary' }), fc.constantFrom(...OTHERS));
    const known = payloads.map(({ payload }) => ({ payload, paths: pathsOf(payload) }));
    const changed = fc
      .constantFrom(...known)
      .chain(({ payload, paths }) =>
        fc
          .array(fc.tuple(fc.constantFrom(...paths), value), { minLength: 1, maxLength: 6 })
          .map((changes) => changes.reduce<unknown>((json, [path, to]) => replaced(json, path, to), payload)),
      );
    fc.assert(
      fc.property(changed, (json) => expectSound(json as Json)),
      { numRuns: 1000 },
    );
  });

  it('any JSON under the names that are read', () => {
    const leaf = fc.oneof(fc.jsonValue({ maxDepth: 2, stringUnit: 'binary' }), fc.constantFrom(...OTHERS));
    const names = [
      'name status new_status url created_at updated_at markdown body backfilled start end duration',
      'scheduled_for maintenance_end_date status_description status_indicator __proto__ constructor',
    ];
    const object = (value: fc.Arbitrary<unknown>, more: string) =>
      fc.dictionary(fc.constantFrom(...[...names, more].join(' ').split(' ').filter(Boolean)), value);
    const entry = object(leaf, 'affected_components');
    const list = fc.array(fc.oneof(entry, leaf), { maxLength: 5 });
    const item = object(
      fc.oneof(leaf, list),
      'incident_updates maintenance_updates components affected_components',
    );
    const payload = fc.dictionary(
      fc.constantFrom('page', 'incident', 'maintenance', 'component', 'component_update'),
      fc.oneof(item, leaf),
    );
    fc.assert(fc.property(payload, expectSound), { numRuns: 1000 });
  });

  it.each<[name: string, incident: object]>([
    ['updates', { incident_updates: Array(10_000).fill({ body: 'x', created_at: '2026-05-01' }) }],
    ['empty updates', { incident_updates: Array(500_000).fill({}) }],
    ['components', { components: Array(10_000).fill({ name: 'x', status: 'up' }) }],
    ['components without a name', { components: Array(500_000).fill({ status: 'up' }) }],
    ['letters of a status', { status: 'ß'.repeat(2 ** 20) }],
    ['blanks', { status: ' '.repeat(2 ** 21), name: `${' '.repeat(2 ** 20)}x${' '.repeat(2 ** 20)}` }],
    ['blanks in a component', { components: [{ name: `x${' '.repeat(2 ** 21)}x`, status: '-'.repeat(99) }] }],
    [
      'digits',
      { created_at: '2'.repeat(2 ** 21), duration: '9'.repeat(2 ** 21), url: `https:${'/'.repeat(2 ** 21)}` },
    ],
    ['lone surrogates', { name: '\ud800'.repeat(2 ** 20) }],
    ['NULs', { name: `${'\0'.repeat(2 ** 20)}x` }],
  ])('and does so soon, with very many %s', (_, parts) => {
    const started = performance.now();
    const page = { status_indicator: `${'_'.repeat(2 ** 20)}x${'-'.repeat(2 ** 20)}` };
    for (const section of ['incident', 'maintenance', 'component']) {
      expectSound({ page, [section]: { name: 'x', ...parts } });
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });
});

type Path = readonly string[];

/** The places of all values below the payload. */
function pathsOf(value: unknown, path: Path = []): Path[] {
  if (typeof value !== 'object' || value === null) return [path];
  const below = Object.entries(value).flatMap(([name, part]) => pathsOf(part, [...path, name]));
  return path.length === 0 ? below : [path, ...below];
}

/** The same JSON with another value at a place; undefined deletes the member. */
function replaced(value: unknown, [name, ...rest]: Path, to: unknown): unknown {
  if (name === undefined) return to;
  if (typeof value !== 'object' || value === null) return value;
  const part = replaced(Reflect.get(value, name), rest, to);
  if (Array.isArray(value)) {
    const items = value.map((item, index) => (String(index) === name ? part : item));
    return items.filter((item) => item !== undefined);
  }
  const { [name]: _, ...others } = value as Json;
  return part === undefined ? others : { ...others, [name]: part };
}
