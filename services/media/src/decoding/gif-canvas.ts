/** Offsets of the canvas size in a GIF's header. */
const WIDTH_AT = 6;
const HEIGHT_AT = 8;

/**
 * The longer side of a GIF's canvas, which viewers allocate; 0 for other types. libvips ignores a large canvas around
 * small frames, and reports the size of the frames.
 */
export function gifCanvasSide(bytes: Buffer): number {
  if (bytes.toString('latin1', 0, 3) !== 'GIF' || bytes.length < HEIGHT_AT + 2) return 0;
  return Math.max(bytes.readUInt16LE(WIDTH_AT), bytes.readUInt16LE(HEIGHT_AT));
}
