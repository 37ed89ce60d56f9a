import { markdownTable } from '@gatehouse/dev-env/markdown-table';
import type { FigureJson, ReportJson } from '../../report/report-json.ts';
import { cellsOf } from '../../report/table-text.ts';
import type { Piece } from '../pieces.ts';
import { connectionsOf, type PieceRow, rowsOf, seriesOf } from './piece-series.ts';
import { plotSvg } from './plot.ts';

/** The figures of a piece, and the reason if its last run failed. */
export interface PieceFigures {
  readonly name: string;
  readonly piece: Pick<Piece, 'heading' | 'unit' | 'text'>;
  readonly report: ReportJson | undefined;
  readonly failure: string | undefined;
}

export interface Page {
  readonly markdown: string;
  /** SVG files below docs/performance/, by name. */
  readonly plots: ReadonlyMap<string, string>;
}

/** The page docs/performance.md, and its plots. No figure on it has another source than the runs. */
export function renderPage(pieces: readonly PieceFigures[]): Page {
  const sections = pieces.map(sectionOf);
  const reports = pieces.flatMap(({ report }) => report ?? []);
  const markdown = [
    '# Performance',
    `<!-- Written by \`npm run bench -- all\`: do not edit. -->`,
    INTRODUCTION,
    '## Runs',
    reports.length === 0 ? '' : `Measured on ${[...new Set(reports.map(machineOf))].join('; and on ')}.`,
    runsTable(pieces),
    ...sections.map((section) => section.markdown),
  ].join('\n\n');
  return {
    markdown: `${markdown.replace(/\n{3,}/g, '\n\n').trimEnd()}\n`,
    plots: new Map(sections.flatMap(({ plots }) => plots)),
  };
}

const INTRODUCTION = `\`npm run bench -- all\` measures the stack in two modes, and beside it programs that do similar work: with a process for
each service (many processes), and with all services in one process. Both run at the same time and are loaded in turn,
as are the others: for a second each, or with ten messages to all sessions. The load generator and PostgreSQL run on the
same cores: compare figures of one table, not those of other machines. [bench](../bench/README.md) has the rules and
further benchmarks.

A figure is the median of the turns; the range beside it, and the bar in a plot, has the lowest and the highest turn. A
difference within the ranges means nothing. A ratio is the median of the ratios of each turn.`;

function machineOf({ machine }: ReportJson): string {
  const { cores, cpu, memory_gib, platform, node, postgresql, redis } = machine;
  const versions = [`Node ${node}`, postgresql && `PostgreSQL ${postgresql}`, redis && `Redis ${redis}`];
  return [`${cores} cores of ${cpu}, ${memory_gib} GiB, ${platform}`, ...versions].filter(Boolean).join(', ');
}

function runsTable(pieces: readonly PieceFigures[]): string {
  const rows = pieces.map(({ piece: { heading }, report, failure }) => {
    if (report === undefined) return [heading, '', '', '', failure ?? 'not measured'];
    const { machine, began_at, command, took_seconds, tables } = report;
    const turns = tables.flatMap(({ rows: of }) =>
      of.flatMap(({ figures }) => Object.values(figures).map((figure) => figure.turns)),
    );
    const [least, most] = [Math.min(...turns), Math.max(...turns)];
    return [
      heading,
      machine.commit ?? '',
      began_at.slice(0, 16).replace('T', ' '),
      least === most ? String(least) : `${least} to ${most}`,
      `\`${command}\`, ${Math.ceil(took_seconds / 60)} min`,
    ];
  });
  return markdownTable(['What', 'Commit', 'Date, UTC', 'Turns', 'Command'], rows);
}

function sectionOf({ name, piece, report, failure }: PieceFigures): {
  markdown: string;
  plots: [string, string][];
} {
  const { heading, unit, text } = piece;
  const failed = failure === undefined ? '' : `**The last run failed:** ${failure}`;
  const head = [`## ${heading}`, text, failed];
  if (report === undefined) return { markdown: [...head, 'Not measured.'].join('\n\n'), plots: [] };
  const rate = `${unit} by connections`;
  const latency = 'p99 in milliseconds by connections';
  const plots: [string, string][] = [
    [`${name}-rate.svg`, plotSvg({ title: `${heading}: ${rate}`, series: seriesOf(report, 'per_second') })],
    [`${name}-p99.svg`, plotSvg({ title: `${heading}: ${latency}`, series: seriesOf(report, 'p99_ms') })],
  ];
  const capitalised = unit.charAt(0).toUpperCase() + unit.slice(1);
  const markdown = [
    ...head,
    warningOf(rowsOf(report)),
    `![${heading}: ${rate}](performance/${name}-rate.svg)`,
    tableOf(report, capitalised, 'per_second'),
    `![${heading}: ${latency}](performance/${name}-p99.svg)`,
    tableOf(report, 'p99, ms', 'p99_ms'),
    ratioTable(report),
  ];
  return { markdown: markdown.join('\n\n'), plots };
}

function warningOf(rows: readonly PieceRow[]): string {
  const bad = rows.filter(({ unexpected }) => unexpected > 0);
  const names = bad.map(({ name, unexpected }) => `${name} (${unexpected})`);
  return bad.length === 0
    ? ''
    : `**Worthless**, since responses had an unexpected status: ${names.join(', ')}.`;
}

/** A figure of all rows, by connections. */
function tableOf(report: ReportJson, label: string, figure: string): string {
  const rows = rowsOf(report).filter(({ figures }) => [...figures.values()].some((of) => figure in of));
  const connections = connectionsOf(report);
  return markdownTable(
    [label, ...connections.map((number) => number.toLocaleString('en'))],
    rows.map(({ name, figures }) => [name, ...connections.map((at) => cellOf(figures.get(at)?.[figure]))]),
  );
}

function ratioTable(report: ReportJson): string {
  const named = {
    ...report,
    tables: report.tables.map((table) => ({
      ...table,
      rows: table.rows.map((row) => ({ ...row, name: `${row.name} ÷ ${row.compared_with}` })),
    })),
  };
  return tableOf(named, 'Ratio of the rates', 'rate_ratio');
}

/** The median with its range. */
function cellOf(figure: FigureJson | undefined): string {
  if (figure === undefined || figure.median === null) return '–';
  const { median, lowest, highest, turns } = figure;
  const [middle, range] = cellsOf({ median, lowest: lowest ?? median, highest: highest ?? median, turns });
  return range === '' ? middle : `${middle} (${range})`;
}
