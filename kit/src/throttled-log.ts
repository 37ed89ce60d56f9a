const EVERY_MS = 1_000;

/**
 * Throttles log lines about frequent events. Calls `say` for the first event, then at most once per interval
 * (default: a second), with the number of events since and the latest one.
 */
export function throttledLog<T>(
  say: (times: number, last: T) => void,
  every_ms = EVERY_MS,
): (what: T) => void {
  let unsaid = 0;
  let last: T;
  let pause: NodeJS.Timeout | undefined;

  function tell(): void {
    const times = unsaid;
    unsaid = 0;
    pause = setTimeout(() => {
      pause = undefined;
      if (unsaid > 0) tell();
    }, every_ms).unref();
    say(times, last);
  }

  return (what) => {
    last = what;
    unsaid++;
    if (pause === undefined) tell();
  };
}
