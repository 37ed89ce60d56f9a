/** Whole microseconds since the Unix epoch, on a clock that never goes back. */
export type MicrosecondClock = () => number;

const START_US = Math.floor(performance.timeOrigin * 1000);

/** The time at the start of the process, and its monotonic clock since. Setting the machine's time does not move it. */
export const monotonicClock: MicrosecondClock = () => START_US + Math.floor(performance.now() * 1000);
