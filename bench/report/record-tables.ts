import type { Row, Table } from './table.ts';

/** Tables of a record of rows: neighbours with the same members share a table. */
export function recordTables(record: Readonly<Record<string, unknown>>, title: string): Table[] {
  const tables: { title: string; rows: Row[] }[] = [];
  let last = '';
  for (const [name, value] of Object.entries(record)) {
    const row = rowOf(name, value);
    const members = Object.keys(row.figures).join();
    if (members !== last) tables.push({ title, rows: [] });
    last = members;
    tables.at(-1)?.rows.push(row);
  }
  return tables;
}

function rowOf(name: string, value: unknown): Row {
  const members = Object.entries(Object(value));
  const figures = members.filter((member): member is [string, number] => typeof member[1] === 'number');
  const { unexpected = 0, ...others } = Object.fromEntries(figures);
  const texts = members.filter(([, text]) => typeof text === 'string' || Array.isArray(text));
  return {
    name,
    what: texts.map(([member, text]) => (member === 'what' ? text : `${member}: ${text}`)).join('; '),
    unexpected,
    figures: others,
  };
}
