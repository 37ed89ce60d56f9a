const FIRST_MS = 100;
const LAST_MS = 5_000;
/** After this long a process counts as recovered. */
const RECOVERED_MS = 10_000;

/** Returns the pause before the next restart of a process that ran for `ran_ms`: 100 ms, doubling to 5 s. */
export function backOff(): (ran_ms: number) => number {
  let wait_ms = FIRST_MS;
  return (ran_ms) => {
    if (ran_ms >= RECOVERED_MS) wait_ms = FIRST_MS;
    const now_ms = wait_ms;
    wait_ms = Math.min(wait_ms * 2, LAST_MS);
    return now_ms;
  };
}
