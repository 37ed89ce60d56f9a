/** A charge in a plan: bucket, identities, cost, and for a concurrency limit the lease's ID. */
export type PlannedCharge = readonly [
  bucket: string,
  identities: readonly string[],
  cost: number,
  lease?: string,
];

/** A step of a caller. Its steps are made one after another. */
export type Step =
  /** A check of sets of charges. */
  | { readonly check: readonly (readonly PlannedCharge[])[] }
  /** Returns charges, or releases leases, if the step with this index was admitted. */
  | { readonly refund: readonly PlannedCharge[]; readonly of: number };

export interface CallerPlan {
  readonly id: number;
  /** The replica that it calls. */
  readonly address: string;
  readonly steps: readonly Step[];
}

/** The input of a program that plays callers. It ends after the last step, or when its standard input ends. */
export interface Plan {
  readonly proto_root: string;
  readonly timeout_ms: number;
  readonly callers: readonly CallerPlan[];
}

/** The result of one step; times are in microseconds of the system clock, before the request and after the response. */
export interface StepRecord {
  readonly caller: number;
  readonly step: number;
  readonly start_us: number;
  readonly end_us: number;
  /** Of a refund: done. */
  readonly result: 'admitted' | 'denied' | 'refunded' | 'failed';
  /** Decided by a failure policy. Undefined: the client does not say. */
  readonly degraded: boolean | undefined;
  readonly text: string;
}

const RESULTS = { A: 'admitted', D: 'denied', R: 'refunded', E: 'failed' } as const;

/**
 * Reads a line of a program's output: "caller step start_us end_us result degraded text", where the result is A
 * (admitted), D (denied), R (refunded) or E (failed, with the error's text), and degraded is 1, 0 or - (unknown).
 *
 * @throws Error for any other line
 */
export function readRecord(line: string): StepRecord {
  const [caller, step, start_us, end_us, result = '', degraded = '', ...text] = line.split(' ');
  const read = {
    caller: Number(caller),
    step: Number(step),
    start_us: Number(start_us),
    end_us: Number(end_us),
    result: RESULTS[result as keyof typeof RESULTS],
    degraded: degraded === '-' ? undefined : degraded === '1',
    text: text.join(' '),
  };
  const numbers = [read.caller, read.step, read.start_us, read.end_us];
  if (!numbers.every(Number.isSafeInteger) || read.result === undefined || read.end_us < read.start_us)
    throw new Error(`not a record: ${line}`);
  return read;
}
