/** A seeded random number generator. */
export interface Random {
  /** An integer in [0, end). */
  below(end: number): number;
  between(low: number, high: number): number;
  /** True with this probability. */
  chance(of_one: number): boolean;
  pick<T>(from: readonly T[]): T;
  /** An independent generator, unaffected by the use of this one. */
  fork(name: number): Random;
}

export function randomOf(seed: number): Random {
  let state = seed >>> 0;
  /** mulberry32 */
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const below = (end: number): number => Math.floor(next() * end);
  return {
    below,
    between: (low, high) => low + below(high - low + 1),
    chance: (of_one) => next() < of_one,
    pick: (from) => {
      const one = from[below(from.length)];
      if (one === undefined) throw new Error('there is nothing to choose from');
      return one;
    },
    fork: (name) => randomOf(Math.imul(seed ^ 0x9e3779b9, 2 * name + 1)),
  };
}
