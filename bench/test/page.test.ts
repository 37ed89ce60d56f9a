import { readFileSync } from 'node:fs';
import { DOMParser, onErrorStopParsing } from '@xmldom/xmldom';
import { describe, expect, it } from 'vitest';
import { renderPage } from '../all/page/page.ts';
import { logScale } from '../all/page/scale.ts';
import { PIECES } from '../all/pieces.ts';
import { figureOf, ratioOf } from '../report/figure.ts';
import { type ReportJson, tableJson } from '../report/report-json.ts';
import type { Table } from '../report/table.ts';

const piece = { heading: 'Reads <&>', unit: 'requests per second', text: 'Some reads.' };

/** Three turns with one connection, and with 64. */
const tables: readonly Table[] = [64, 1].map((connections) => {
  const bare = [connections * 1_000, connections * 1_100, connections * 900];
  return {
    title: 'reads',
    connections,
    rows: [
      {
        name: 'bare',
        compared_with: 'bare',
        figures: { per_second: figureOf(bare), p99_ms: figureOf([0.5]) },
      },
      {
        name: 'GET /"me", one process',
        compared_with: 'bare',
        figures: {
          per_second: figureOf(bare.map((rate) => rate / 4)),
          p99_ms: figureOf([2, 3, 2.5]),
          rate_ratio: ratioOf(
            bare.map((rate) => rate / 4),
            bare,
          ),
        },
      },
    ],
  };
});

const report: ReportJson = {
  schema_version: 1,
  bench: 'reads',
  command: 'npm run bench -- reads --json',
  began_at: '2026-01-02T03:04:05.678Z',
  took_seconds: 61,
  rounds: 3,
  seconds: 1,
  machine: {
    cores: 2,
    cpu: 'a CPU',
    memory_gib: 24,
    platform: 'linux x64',
    node: '24.0.0',
    postgresql: '18.4',
    redis: null,
    commit: 'abcdef012345',
  },
  tables: tables.map(tableJson),
};

const { markdown, plots } = renderPage([
  { name: 'reads', piece, report, failure: undefined },
  { name: 'writes', piece: { ...piece, heading: 'Writes' }, report: undefined, failure: 'no disk' },
]);

const cellsOf = (start: string): string[] => {
  const line = markdown.split('\n').find((one) => one.startsWith(`| ${start}`)) ?? '';
  return line.split('|').map((cell) => cell.trim());
};

describe('the page', () => {
  it('says machine, commit, date, command and turns of each run', () => {
    expect(markdown).toContain(
      'Measured on 2 cores of a CPU, 24 GiB, linux x64, Node 24.0.0, PostgreSQL 18.4.',
    );
    expect(cellsOf('Reads')).toEqual([
      '',
      'Reads <&>',
      'abcdef012345',
      '2026-01-02 03:04',
      '1 to 3',
      '`npm run bench -- reads --json`, 2 min',
      '',
    ]);
  });

  it('has a table of each figure by connections, with the range of the turns', () => {
    expect(cellsOf('Requests per second')).toEqual(['', 'Requests per second', '1', '64', '']);
    expect(cellsOf('bare')).toEqual(['', 'bare', '1,000 (900–1,100)', '64,000 (57,600–70,400)', '']);
    expect(cellsOf('GET /"me", one process ÷ bare')).toEqual([
      '',
      'GET /"me", one process ÷ bare',
      '0.25 (0.25–0.25)',
      '0.25 (0.25–0.25)',
      '',
    ]);
  });

  it('links to every plot, and to nothing that it did not make', () => {
    const linked = [...markdown.matchAll(/\]\(performance\/([^)]+)\)/g)].map(([, name]) => name);
    expect(linked).toEqual([...plots.keys()]);
    expect(linked).toEqual(['reads-rate.svg', 'reads-p99.svg']);
  });

  it('says that a piece failed, and why', () => {
    expect(markdown).toContain(
      '## Writes\n\nSome reads.\n\n**The last run failed:** no disk\n\nNot measured.',
    );
  });

  it('warns of responses with an unexpected status', () => {
    const [first, ...others] = report.tables;
    const rows = first?.rows.map((row) => ({ ...row, unexpected: 3 })) ?? [];
    const spoilt = { ...report, tables: [{ ...first, rows }, ...others] } as ReportJson;
    const page = renderPage([{ name: 'reads', piece, report: spoilt, failure: undefined }]);
    expect(page.markdown).toContain('**Worthless**, since responses had an unexpected status: bare (3), GET');
  });
});

describe('a plot', () => {
  const parse = (name: string) =>
    new DOMParser({ onError: onErrorStopParsing }).parseFromString(plots.get(name) ?? '', 'image/svg+xml');
  const marks = (name: string) =>
    [...parse(name).getElementsByTagName('g')].flatMap((group) => {
      const series = group.getAttribute('data-series');
      return [...group.getElementsByTagName('*')]
        .filter((point) => point.getAttribute('data-x'))
        .map((point) => [series, Number(point.getAttribute('data-x')), Number(point.getAttribute('data-y'))]);
    });

  it.each([...plots.keys()])('%s is well-formed XML that loads nothing', (name) => {
    expect(parse(name).documentElement?.tagName).toBe('svg');
    expect(plots.get(name)).not.toMatch(/href|url\(|@import|<script/);
  });

  it('has the medians of every series', () => {
    expect(marks('reads-rate.svg')).toEqual([
      ['bare', 1, 1_000],
      ['bare', 64, 64_000],
      ['GET /"me", one process', 1, 250],
      ['GET /"me", one process', 64, 16_000],
    ]);
    expect(marks('reads-p99.svg').map(([, , y]) => y)).toEqual([0.5, 0.5, 2.5, 2.5]);
  });

  it('places equal ratios at equal distances, and every value inside', () => {
    const { ticks, at } = logScale([250, 70_400], 332, 48);
    expect(ticks).toEqual([200, 500, 1_000, 2_000, 5_000, 10_000, 20_000, 50_000, 100_000]);
    expect([at(200), at(100_000)]).toEqual([332, 48]);
    expect(at(400) - at(200)).toBeCloseTo(at(20_000) - at(10_000));
    expect(logScale([7, 7], 100, 0).ticks).toEqual([5, 10]);
  });
});

it('the page in docs has the pieces of `all`, in their order', () => {
  const page = readFileSync(new URL('../../docs/performance.md', import.meta.url), 'utf8');
  const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
  expect(headings).toEqual(['Runs', ...Object.values(PIECES).map(({ heading }) => heading)]);
});
