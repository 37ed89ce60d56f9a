import type { FigureJson, ReportJson } from '../../report/report-json.ts';
import type { Series } from './plot.ts';

/** A row of a piece's tables, at each number of connections. */
export interface PieceRow {
  readonly name: string;
  readonly compared_with: string | null;
  readonly unexpected: number;
  readonly figures: ReadonlyMap<number, Readonly<Record<string, FigureJson>>>;
}

/** The rows of a piece, in their order. */
export function rowsOf({ tables }: ReportJson): PieceRow[] {
  const rows = new Map<string, PieceRow & { figures: Map<number, Readonly<Record<string, FigureJson>>> }>();
  for (const { connections, rows: ofTable } of tables) {
    if (connections === null) continue;
    for (const { name, compared_with, unexpected, figures } of ofTable) {
      const row = rows.get(name) ?? { name, compared_with, unexpected: 0, figures: new Map() };
      row.figures.set(connections, figures);
      rows.set(name, { ...row, unexpected: row.unexpected + unexpected });
    }
  }
  return [...rows.values()];
}

/** The connections of a piece's tables, in ascending order. */
export function connectionsOf({ tables }: ReportJson): number[] {
  const all = tables.flatMap(({ connections }) => connections ?? []);
  return [...new Set(all)].toSorted((a, b) => a - b);
}

/** The lines of a plot. A figure without a number, or of 0, has no place on its axis. */
export function seriesOf(report: ReportJson, figure: string): Series[] {
  const connections = connectionsOf(report);
  const series = rowsOf(report).map(({ name, figures }) => ({
    name,
    points: connections.flatMap((x) => {
      const { median, lowest, highest } = figures.get(x)?.[figure] ?? {};
      return median && lowest && highest ? [{ x, median, lowest, highest }] : [];
    }),
  }));
  return series.filter(({ points }) => points.length > 0);
}
