/** Rounds to two decimals. */
export function twoDecimals(value: number): number {
  return Math.round(value * 100) / 100;
}
