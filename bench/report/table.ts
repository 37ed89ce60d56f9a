import type { Figure } from './figure.ts';

/** Cases that are compared with each other, with the same figures. */
export interface Table {
  readonly title: string;
  /** The meaning of the figures, in a sentence or two. */
  readonly about?: string;
  /** The connections of each row's clients, if all rows have as many. */
  readonly connections?: number;
  readonly rows: readonly Row[];
}

export interface Row {
  readonly name: string;
  /** More about the case. */
  readonly what?: string;
  /** The row with which its ratios compare it. */
  readonly compared_with?: string;
  /** Responses with an unexpected status. Any of them makes the figures worthless. */
  readonly unexpected?: number;
  /** By name, which ends with the unit: `p99_ms`. A number is a figure of one turn. */
  readonly figures: Readonly<Record<string, Figure | number>>;
}

/** A column of a table: the name of its figures, and their unit. */
export interface Column {
  readonly name: string;
  readonly label: string;
  readonly unit: string | undefined;
}

const UNITS: Readonly<Record<string, string>> = {
  ms: 'ms',
  us: 'µs',
  seconds: 's',
  bytes: 'bytes',
  kib: 'KiB',
  mb: 'MB',
  MiB: 'MiB',
  percent: '%',
};

/** The columns of a table, in the order of their first appearance. */
export function columnsOf({ rows }: Pick<Table, 'rows'>): Column[] {
  return [...new Set(rows.flatMap(({ figures }) => Object.keys(figures)))].map(columnOf);
}

function columnOf(name: string): Column {
  const words = name.split('_');
  const unit = UNITS[words.at(-1) ?? ''];
  if (unit === undefined) return { name, label: words.join(' '), unit };
  const label = words.slice(0, -1).join(' ');
  return { name, label: label === '' ? unit : `${label}, ${unit}`, unit };
}

/** A number as a figure of one turn. */
export function asFigure(figure: Figure | number): Figure {
  if (typeof figure !== 'number') return figure;
  return { median: figure, lowest: figure, highest: figure, turns: 1 };
}
