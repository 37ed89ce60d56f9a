import { encode } from 'uqr';
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

it('a QR code’s path paints its dark squares and no others', () => {
  const { data, size } = encode('otpauth://totp/Gatehouse:ann?secret=MZXW6YTB&issuer=Gatehouse', {
    border: 4,
  });
  const painted = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [, x, y, width] of squares(data).matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    painted[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  expect(painted).toEqual(data);
});
