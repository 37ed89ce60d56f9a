const EVERY_MS = 1_000;

/**
 * Limits the log lines about something that may happen very often. Calls `say` the first time, and then at most once
 * in this time, a second unless given, with how often it happened since and the last occurrence.
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
