/** Where a GIF's head holds the width and the height of its canvas. */
const WIDTH_AT = 6;
const HEIGHT_AT = 8;

/**
 * The longer side of the canvas on which a GIF's frames are shown, and for which who shows it takes memory; 0 for
 * anything else. libvips takes a large canvas around small frames for a mistake, and tells the size of the frames.
 */
export function gifCanvasSide(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'GIF' || bytes.length < HEIGHT_AT + 2) return 0;
  return Math.max(bytes.readUInt16LE(WIDTH_AT), bytes.readUInt16LE(HEIGHT_AT));
}
