import { median } from '../load/load.ts';

/** A figure of several turns. */
export interface Figure {
  readonly median: number;
  /** The least and the greatest of all turns. */
  readonly lowest: number;
  readonly highest: number;
  readonly turns: number;
}

/** The median of the turns, and their whole range. NaN, such as a ratio to a missing turn, does not count. */
export function figureOf(turns: readonly number[]): Figure {
  const numbers = turns.filter((turn) => !Number.isNaN(turn));
  return {
    median: median(numbers),
    lowest: Math.min(...numbers),
    highest: Math.max(...numbers),
    turns: numbers.length,
  };
}

/** A figure for each member of the turns. */
export function figuresOf(turns: readonly Readonly<Record<string, number>>[]): Record<string, Figure> {
  const names = Object.keys(turns[0] ?? {});
  return Object.fromEntries(
    names.map((name) => [name, figureOf(turns.map((turn) => turn[name] ?? Number.NaN))]),
  );
}

/** The ratio of each turn to the same turn of the compared case. */
export function ratioOf(turns: readonly number[], compared: readonly number[]): Figure {
  return figureOf(turns.map((turn, index) => turn / (compared[index] ?? Number.NaN)));
}
