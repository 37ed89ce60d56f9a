/** Milliseconds since the Unix epoch. */
export type Clock = () => number;

export const systemClock: Clock = Date.now;
