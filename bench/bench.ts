export interface BenchOptions {
  readonly rounds: number;
  /** Seconds that each case runs in each round. */
  readonly seconds: number;
  /** Uses a tenth of the clients where a benchmark has thousands, for a quick run during development. */
  readonly quick?: boolean;
  /** Prints a line of progress on standard error. */
  readonly say: (line: string) => void;
}

/** Runs a benchmark and returns its figures, by name. */
export type Bench = (options: BenchOptions) => Promise<Record<string, unknown>>;
