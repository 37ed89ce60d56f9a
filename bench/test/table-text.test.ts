import { expect, it } from 'vitest';
import { figureOf, ratioOf } from '../report/figure.ts';
import { recordTables } from '../report/record-tables.ts';
import { tableJson } from '../report/report-json.ts';
import type { Table } from '../report/table.ts';
import { tableText } from '../report/table-text.ts';

const table: Table = {
  title: 'executions',
  about: 'Compared with a bare route.',
  connections: 64,
  rows: [
    {
      name: 'bare',
      figures: { per_second: figureOf([70_000, 71_234, 69_000]), p99_ms: figureOf([1.234, 2, 1.1]) },
    },
    {
      name: 'execution',
      what: 'of a webhook',
      compared_with: 'bare',
      unexpected: 2,
      figures: { per_second: figureOf([6_000, 7_000, 6_500]), rate_ratio: ratioOf([6_000], [60_000]) },
    },
  ],
};

it('a table has a column for each figure, with its range, and notes below', () => {
  expect(tableText(table)).toBe(`
executions · 64 connections
Compared with a bare route.
           per second            p99, ms     rate ratio
bare       70,000 69,000–71,234  1.23 1.1–2
execution   6,500 6,000–7,000                       0.1
  execution: of a webhook
  ratios: compared with bare
  execution: WORTHLESS, 2 responses with another status
`);
});

it('the JSON of a table names columns, units and ranges', () => {
  const { columns, rows, connections } = tableJson(table);
  expect(connections).toBe(64);
  expect(columns).toEqual([
    { name: 'per_second', unit: null },
    { name: 'p99_ms', unit: 'ms' },
    { name: 'rate_ratio', unit: null },
  ]);
  expect(rows[1]).toEqual({
    name: 'execution',
    what: 'of a webhook',
    compared_with: 'bare',
    unexpected: 2,
    figures: {
      per_second: { median: 6_500, lowest: 6_000, highest: 7_000, turns: 3 },
      rate_ratio: { median: 0.1, lowest: 0.1, highest: 0.1, turns: 1 },
    },
  });
});

it('a figure without any number is null, and its cell is a dash', () => {
  const none: Table = { title: 'none', rows: [{ name: 'a', figures: { us: figureOf([Number.NaN]) } }] };
  expect(tableJson(none).rows[0]?.figures.us).toEqual({
    median: null,
    lowest: null,
    highest: null,
    turns: 0,
  });
  expect(tableText(none)).toContain('a   –\n');
});

it('rows of a record with the same members share a table', () => {
  const tables = recordTables(
    { a: { us: 1 }, b: { us: 2, what: 'two' }, c: { bytes: 3, unexpected: 1 } },
    'some',
  );
  expect(tables.map(({ rows }) => rows.map(({ name }) => name))).toEqual([['a', 'b'], ['c']]);
  expect(tables[0]?.rows[1]).toMatchObject({ what: 'two', figures: { us: 2 } });
  expect(tables[1]?.rows[0]).toMatchObject({ unexpected: 1, figures: { bytes: 3 } });
});
