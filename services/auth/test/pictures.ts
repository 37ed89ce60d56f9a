import sharp, { type Color } from 'sharp';

/** A PNG of a few pixels; each colour is another picture. */
export function onePixel(background: Color): Promise<Buffer> {
  return sharp({ create: { width: 2, height: 2, channels: 3, background } })
    .png()
    .toBuffer();
}
