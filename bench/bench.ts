export interface BenchOptions {
  readonly rounds: number;
  /** Of each case in each round. */
  readonly seconds: number;
  /** With a tenth of the clients, where there are thousands: figures of a development run. */
  readonly quick?: boolean;
  /** Progress, on standard error. */
  readonly say: (line: string) => void;
}

/** Comes back with its figures, by the name of what was measured. */
export type Bench = (options: BenchOptions) => Promise<Record<string, unknown>>;
