import { encode } from 'uqr';
import { expect, it } from 'vitest';
import { qrPath } from '../src/shared/qr-code/qr-path.ts';

it('the path has a rectangle for each run of dark modules', () => {
  expect(qrPath([])).toBe('');
  expect(
    qrPath([
      [true, true, false, true],
      [false, false, false, false],
      [false, true, false, false],
    ]),
  ).toBe('M0 0h2v1h-2zM3 0h1v1h-1zM1 2h1v1h-1z');
});

it('the path paints the dark modules of a QR code and no others', () => {
  const { data, size } = encode('otpauth://totp/Gatehouse:ann?secret=MZXW6YTB&issuer=Gatehouse', {
    border: 4,
  });
  const painted = Array.from({ length: size }, () => new Array<boolean>(size).fill(false));
  for (const [, x, y, width] of qrPath(data).matchAll(/M(\d+) (\d+)h(\d+)v1h-\3z/g))
    painted[Number(y)]?.fill(true, Number(x), Number(x) + Number(width));
  expect(painted).toEqual(data);
});
