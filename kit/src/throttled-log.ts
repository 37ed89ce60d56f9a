const THROTTLE_MS = 1_000;

/**
 * Throttles log lines about frequent events. Calls `log` for the first event, then at most once per interval
 * (default: a second), with the number of events since and the latest one.
 */
export function throttledLog<T>(
  log: (times: number, last: T) => void,
  every_ms = THROTTLE_MS,
): (event: T) => void {
  let unlogged = 0;
  let last: T;
  let pause: NodeJS.Timeout | undefined;

  function flush(): void {
    const times = unlogged;
    unlogged = 0;
    pause = setTimeout(() => {
      pause = undefined;
      if (unlogged > 0) flush();
    }, every_ms).unref();
    log(times, last);
  }

  return (event) => {
    last = event;
    unlogged++;
    if (pause === undefined) flush();
  };
}
