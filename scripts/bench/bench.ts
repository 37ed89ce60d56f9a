export interface BenchOptions {
  readonly rounds: number;
  /** Of each case in each round. */
  readonly seconds: number;
  /** Progress, on standard error. */
  readonly say: (line: string) => void;
}

/** Comes back with its figures, by the name of what was measured. */
export type Bench = (options: BenchOptions) => Promise<Record<string, unknown>>;
