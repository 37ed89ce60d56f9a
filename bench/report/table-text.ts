import { asFigure, columnsOf, type Row, type Table } from './table.ts';

/** A table for people: each figure's median, and its range beside it. */
export function tableText({ title, about, connections, rows }: Table): string {
  const columns = [
    ['', ...rows.map(({ name }) => name)],
    ...columnsOf({ rows }).map(({ name, label }) => figureColumn(label, rows, name)),
  ].map(aligned);
  const lines = ['', ...rows].map((_, line) =>
    columns
      .map((column) => column[line])
      .join('  ')
      .trimEnd(),
  );
  return [
    '',
    connections === undefined ? title : `${title} · ${connections} connections`,
    ...(about === undefined ? [] : [about]),
    ...lines,
    ...notesOf(rows),
    '',
  ].join('\n');
}

/** The label, and the cells below it. */
function figureColumn(label: string, rows: readonly Row[], name: string): string[] {
  const cells = rows.map(({ figures: { [name]: figure } }) =>
    figure === undefined ? (['', ''] as const) : cellsOf(asFigure(figure)),
  );
  const hasRanges = cells.some(([, range]) => range !== '');
  const least = hasRanges ? 0 : label.length;
  const width = Math.max(least, ...cells.map(([median]) => median.length));
  return [label, ...cells.map(([median, range]) => `${median.padStart(width)} ${range}`.trimEnd())];
}

function aligned(cells: readonly string[]): string[] {
  const width = Math.max(...cells.map(({ length }) => length));
  return cells.map((cell) => cell.padEnd(width));
}

/** The median, and the range of several turns. */
export function cellsOf({ median, lowest, highest, turns }: ReturnType<typeof asFigure>): [string, string] {
  const range = turns > 1 ? `${numberText(lowest)}–${numberText(highest)}` : '';
  return [numberText(median), range];
}

/** Three significant digits, or all digits before the point. */
export function numberText(value: number): string {
  if (!Number.isFinite(value)) return '–';
  const magnitude = Math.abs(value);
  const maximumFractionDigits = magnitude >= 100 ? 0 : magnitude >= 10 ? 1 : magnitude >= 1 ? 2 : 3;
  return value.toLocaleString('en', { maximumFractionDigits });
}

/** What the names do not say: rows with the same note share a line. */
function notesOf(rows: readonly Row[]): string[] {
  const others = new Set(rows.flatMap((row) => comparedWith(row) ?? []));
  const notes = rows.map((row) => {
    const compared = others.size > 1 ? comparedWith(row) : undefined;
    return [row.what ?? '', compared === undefined ? '' : `compared with ${compared}`]
      .filter(Boolean)
      .join('; ');
  });
  const lines = [...new Set(notes)].filter(Boolean).map((note) => {
    const names = rows.filter((_, n) => notes[n] === note).map(({ name }) => name);
    return names.length === rows.length && rows.length > 1 ? `  ${note}` : `  ${names.join(' | ')}: ${note}`;
  });
  return [
    ...lines,
    ...(others.size === 1 ? [`  ratios: compared with ${[...others][0]}`] : []),
    ...rows.flatMap(({ name, unexpected = 0 }) =>
      unexpected === 0 ? [] : [`  ${name}: WORTHLESS, ${unexpected} responses with another status`],
    ),
  ];
}

function comparedWith({ name, compared_with }: Row): string | undefined {
  return compared_with === name ? undefined : compared_with;
}
