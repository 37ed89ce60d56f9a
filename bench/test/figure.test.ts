import { expect, it } from 'vitest';
import { median, quantile } from '../load/load.ts';
import { figureOf } from '../report/figure.ts';

it.each([
  [[7], 7],
  [[10, 2], 6],
  [[3, 1, 2], 2],
  [[10, 1, 4, 2], 3],
])('the median of %j is the middle value, or the mean of the middle two: %d', (values, middle) => {
  expect(median(values)).toBe(middle);
  expect(figureOf([...values, Number.NaN]).median).toBe(middle);
});

it('nothing has no median', () => {
  expect(median([])).toBeNaN();
});

it('another quantile is one of the values', () => {
  expect(quantile([4, 1, 3, 2], 0.99)).toBe(4);
});
