import { readdirSync, readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { renderStatuspage } from '../../src/statuspage/render.ts';
import { messageFaults } from '../fixtures/message-faults.ts';
import { HOSTILE, hostile, mutated, mutationsOf } from '../fixtures/mutations.ts';

type Payload = Readonly<Record<string, unknown>>;

const FOLDER = new URL('../golden/statuspage/', import.meta.url);
const payloads = readdirSync(FOLDER).map((file) => ({
  file,
  payload: JSON.parse(readFileSync(new URL(file, FOLDER), 'utf8')).payload as Payload,
}));

/** Expects a payload to render nothing, or a valid embed with a title. */
function expectValid(payload: Payload): void {
  const rendering = renderStatuspage(payload);
  if ('nothing' in rendering) {
    expect(['section_missing', 'name_missing']).toContain(rendering.nothing);
    return;
  }
  expect(rendering.message.title).toBeTruthy();
  expect(messageFaults({ embeds: [rendering.message] })).toEqual([]);
}

describe('any payload renders nothing, or an embed within all limits', () => {
  it.each(payloads)('each member of $file deleted, null or of another type', ({ payload }) => {
    const mutations = [...mutationsOf(payload, HOSTILE)];
    expect(mutations.length).toBeGreaterThan(15 * HOSTILE.length);
    for (const { value } of mutations) expectValid(value);
  });

  it('any number of members at once', () => {
    const changed = fc.constantFrom(...payloads).chain(({ payload }) => mutated(payload));
    fc.assert(fc.property(changed, expectValid), { numRuns: 1000 });
  });

  it('any JSON under the names that are read', () => {
    const leaf = hostile();
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
    fc.assert(fc.property(payload, expectValid), { numRuns: 1000 });
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
  ])('within seconds, with very many %s', (_, parts) => {
    const started = performance.now();
    const page = { status_indicator: `${'_'.repeat(2 ** 20)}x${'-'.repeat(2 ** 20)}` };
    for (const section of ['incident', 'maintenance', 'component']) {
      expectValid({ page, [section]: { name: 'x', ...parts } });
    }
    expect(performance.now() - started).toBeLessThan(5000);
  });
});
