import { memberOf } from '../json/members.ts';
import { printable, printableJson } from '../output/printable.ts';
import { printLine, type Runtime } from '../runtime.ts';
import { textTable } from './text-table.ts';

/** Output of members of untrusted JSON: tables for people, JSON for scripts. */

/** A heading, and the text of a cell. */
export type Column = readonly [heading: string, cell: (item: unknown) => string];

/** A table with headings; one line of text if there is nothing. */
export function itemTable(items: readonly unknown[], columns: readonly Column[], nothing: string): string {
  if (items.length === 0) return nothing;
  const rows = items.map((item) => columns.map(([, cell]) => printable(cell(item))));
  return textTable([columns.map(([heading]) => heading), ...rows]).trimEnd();
}

/** Lines "name  value". Facts without a value are left out. */
export function factLines(facts: readonly (readonly [name: string, value: string | undefined])[]): string {
  const shown = facts.flatMap(([name, value]) => (value === undefined ? [] : [[name, printable(value)]]));
  return textTable(shown).trimEnd();
}

export function printJson(value: unknown, runtime: Runtime): void {
  printLine(runtime, printableJson(JSON.stringify(value ?? null)));
}

/** The text, number or truth value at a path; "-" if there is none. */
export function cellOf(item: unknown, ...path: readonly string[]): string {
  return factOf(item, ...path) ?? '-';
}

/** The same; undefined if there is none. */
export function factOf(item: unknown, ...path: readonly string[]): string | undefined {
  const value = memberOf(item, ...path);
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  return typeof value === 'number' || (typeof value === 'string' && value !== '') ? String(value) : undefined;
}

/** A count that ends at a maximum: "42", "10000+". */
export function cappedFactOf(item: unknown, max: number, ...path: readonly string[]): string | undefined {
  const count = factOf(item, ...path);
  return count !== undefined && Number(count) >= max ? `${max}+` : count;
}

/** The number at a path: 64-bit numbers may be text. */
export function numberOf(item: unknown, ...path: readonly string[]): number | undefined {
  const value = memberOf(item, ...path);
  const number = typeof value === 'string' && value !== '' ? Number(value) : value;
  return typeof number === 'number' && Number.isFinite(number) ? number : undefined;
}

/** The time at a path, which is in milliseconds since the Unix epoch. */
export function timeOf(item: unknown, ...path: readonly string[]): string | undefined {
  const at_ms = numberOf(item, ...path);
  const date = new Date(at_ms ?? Number.NaN);
  return Number.isNaN(date.getTime()) ? undefined : date.toISOString();
}

/** Who took something out of use, when and why, by its suspension or disablement at a path; undefined if nobody did. */
export function stoppedText(item: unknown, ...path: readonly string[]): string | undefined {
  const reason = factOf(item, ...path, 'reason');
  return (
    reason && `${timeOf(item, ...path, 'at_ms') ?? ''} by ${cellOf(item, ...path, 'operator')}: ${reason}`
  );
}
