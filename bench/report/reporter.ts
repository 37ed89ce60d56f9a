import type { Progress } from './progress.ts';
import { type TableJson, tableJson } from './report-json.ts';
import type { Table } from './table.ts';
import { tableText } from './table-text.ts';

/** Prints each table of a run when it arrives, and keeps it for the JSON. */
export class Reporter {
  readonly #progress: Progress;
  readonly #out: NodeJS.WritableStream;
  readonly #pattern: RegExp | undefined;
  readonly #tables: TableJson[] = [];
  readonly #names = new Set<string>();

  /** `only` is the pattern of --only. */
  constructor(progress: Progress, out: NodeJS.WritableStream, only: RegExp | undefined) {
    this.#progress = progress;
    this.#out = out;
    this.#pattern = only;
  }

  /** Whether the pattern matches a table, or one of its rows. */
  wants(title: string, name?: string): boolean {
    const whole = name === undefined ? title : `${title}: ${name}`;
    this.#names.add(whole);
    return this.#pattern?.test(whole) ?? true;
  }

  report(table: Table): void {
    if (table.rows.length === 0) return;
    this.#progress.clear();
    this.#out.write(tableText(table));
    this.#tables.push(tableJson(table));
  }

  tables(): readonly TableJson[] {
    return this.#tables;
  }

  /** The names that the pattern was tested on. */
  names(): readonly string[] {
    return [...this.#names];
  }
}
