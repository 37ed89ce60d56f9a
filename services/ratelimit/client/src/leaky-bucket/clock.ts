/** Whole microseconds on a clock that never goes back. Its zero has no meaning. */
export type MicrosecondClock = () => number;

/** The process's monotonic clock. Setting the machine's time does not move it. */
export const monotonicClock: MicrosecondClock = () => Math.floor(performance.now() * 1000);
