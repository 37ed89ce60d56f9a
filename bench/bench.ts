import type { Table } from './report/table.ts';

export interface BenchOptions {
  readonly rounds: number;
  /** Seconds that each case runs in each round. */
  readonly seconds: number;
  /** Uses a tenth of the clients where a benchmark has thousands, for a quick run during development. */
  readonly quick?: boolean;
  /** Measures microseconds by step too, where the benchmark can. */
  readonly profile?: boolean;
  /** Prints a line of progress. */
  readonly say: (line: string) => void;
  /** Prints a table as soon as its cases are measured. */
  readonly report: (table: Table) => void;
  /** Whether the run includes the rows `name` of a table: by the pattern of --only. */
  readonly wants: (title: string, name?: string) => boolean;
  /**
   * Shows that `done` turns of `total` are over. Returns false if there is no time for another, with as many loops left as
   * `loops_left` (default: this one).
   */
  readonly turned: (label: string, done: number, total: number, loops_left?: number) => boolean;
}

/** Runs a benchmark, which reports each table when it is measured. */
export type Bench = (options: BenchOptions) => Promise<undefined>;
