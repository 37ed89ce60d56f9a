import { expect, it } from 'vitest';
import { squares } from '../src/account/squares.ts';

it('the path of a picture has a rectangle for each run of dark squares', () => {
  expect(squares([])).toBe('');
  expect(
    squares([
      [true, true, false, true],
      [false, false, false, false],
      [false, true, false, false],
    ]),
  ).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM1 2h1v1h-1z');
});
