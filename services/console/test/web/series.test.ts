import { expect, it } from 'vitest';
import { lastMaximum, lastOf, lastSum, lonePoints, topSeries } from '../../web/charts/series.ts';

it('takes the series with the largest sums, and none that is always 0', () => {
  const found = topSeries({ small: [1, null], none: [0, 0], large: [5, 5], middle: [2, 2] }, 2);
  expect(found.map(({ name }) => name)).toEqual(['large', 'middle']);
  expect(topSeries({ none: [0, null] }, 2)).toEqual([]);
});

it('reads the values of now', () => {
  expect(lastOf([1, 2])).toBe(2);
  expect(lastOf([1, 2, null])).toBeNull();
  expect(lastOf([])).toBeNull();
  expect(lastSum({ a: [1, 2], b: [3, null], c: [] })).toBe(2);
  expect(lastMaximum([[9, 1], [4], [null]])).toBe(4);
  expect(lastMaximum([[null]])).toBeNull();
});

it('finds the values that no line shows', () => {
  expect(lonePoints([1, null, 2, 3, null, 4])).toEqual([0, 5]);
  expect(lonePoints([])).toEqual([]);
});
