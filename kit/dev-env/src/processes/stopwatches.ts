const TICK_MS = 5;

/**
 * A stopwatch that pauses with this process, as on a busy machine: it counts the ticks of a timer. For limits on
 * timers of this process, such as timeouts and pauses between attempts. Returns milliseconds, never more than have
 * passed, and stops with the first reading.
 */
export function processStopwatch(): () => number {
  let ticks = 0;
  const timer = setInterval(() => {
    ticks++;
  }, TICK_MS);
  return () => {
    clearInterval(timer);
    return ticks * TICK_MS;
  };
}

/** A stopwatch of CPU time: the milliseconds that all threads of this process have used since. */
export function cpuStopwatch(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
