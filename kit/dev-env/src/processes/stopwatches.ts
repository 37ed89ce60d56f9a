const BEAT_MS = 5;

/**
 * A stopwatch that stands still while this process does, as on a machine that is busy with others: it counts the beats
 * of a timer. For bounds on what timers of this process decide, such as time-outs and pauses between attempts. Gives
 * milliseconds, never more than have passed, and ends with the first reading.
 */
export function ownTime(): () => number {
  let beats = 0;
  const timer = setInterval(() => {
    beats++;
  }, BEAT_MS);
  return () => {
    clearInterval(timer);
    return beats * BEAT_MS;
  };
}

/** A stopwatch for work: the milliseconds of CPU that this process, with all its threads, has taken since. */
export function cpuTime(): () => number {
  const before = process.cpuUsage();
  return () => {
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };
}
