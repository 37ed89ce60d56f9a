import type { BenchOptions } from '../bench.ts';

/** How many turns a loop takes: uncounted ones first, for V8's compiler. */
export interface Turns {
  readonly warm: number;
  readonly counted: number;
  /** The loops that share the time left, this one included. Default: 1. */
  readonly loops_left?: number;
}

/**
 * Runs `turn` again and again: with `isCounted` false for the warm-up. Ends early if the run's time is up, but never
 * before one counted turn. Shows its progress under the label.
 */
export async function takeTurns(
  label: string,
  { warm, counted, loops_left }: Turns,
  { turned, say }: Pick<BenchOptions, 'turned' | 'say'>,
  turn: (isCounted: boolean, n: number) => Promise<void> | void,
): Promise<void> {
  const total = warm + counted;
  turned(label, 0, total, loops_left);
  for (let done = 0; done < total; ) {
    await turn(done >= warm, done - warm);
    done++;
    const hasTime = turned(label, done, total, loops_left);
    if (hasTime || done <= warm || done === total) continue;
    say(`${label}: the time is up after ${done - warm} of ${counted} turns; --minutes gives more`);
    return;
  }
}
