import type { Machine } from './machine.ts';
import { asFigure, columnsOf, type Row, type Table } from './table.ts';

/** The form of --json. A change of a member's meaning or place gets another number. */
export const SCHEMA_VERSION = 1;

export interface ReportJson {
  readonly schema_version: typeof SCHEMA_VERSION;
  readonly bench: string;
  /** The command that repeats the run. */
  readonly command: string;
  readonly began_at: string;
  readonly took_seconds: number;
  readonly rounds: number;
  readonly seconds: number;
  readonly machine: Machine;
  readonly tables: readonly TableJson[];
}

export interface TableJson {
  readonly title: string;
  readonly about: string | null;
  /** The connections of each row, or null if rows differ. */
  readonly connections: number | null;
  readonly columns: readonly { readonly name: string; readonly unit: string | null }[];
  readonly rows: readonly RowJson[];
}

export interface RowJson {
  readonly name: string;
  readonly what: string | null;
  readonly compared_with: string | null;
  readonly unexpected: number;
  /** By the names of the columns. `turns` is the number of values behind median, lowest and highest. */
  readonly figures: Readonly<Record<string, FigureJson>>;
}

export interface FigureJson {
  /** Null if no turn gave a number. */
  readonly median: number | null;
  readonly lowest: number | null;
  readonly highest: number | null;
  readonly turns: number;
}

export function tableJson(table: Table): TableJson {
  const { title, about, connections, rows } = table;
  const columns = columnsOf(table).map(({ name, unit }) => ({ name, unit: unit ?? null }));
  return {
    title,
    about: about ?? null,
    connections: connections ?? null,
    columns,
    rows: rows.map(rowJson),
  };
}

function rowJson({ name, what, compared_with, unexpected = 0, figures }: Row): RowJson {
  return {
    name,
    what: what || null,
    compared_with: compared_with ?? null,
    unexpected,
    figures: Object.fromEntries(
      Object.entries(figures).map(([column, figure]) => {
        const { median, lowest, highest, turns } = asFigure(figure);
        return [column, { median: digits(median), lowest: digits(lowest), highest: digits(highest), turns }];
      }),
    ),
  };
}

/** Six significant digits. */
function digits(value: number): number | null {
  return Number.isFinite(value) ? Number(value.toPrecision(6)) : null;
}
