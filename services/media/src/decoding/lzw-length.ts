const MAX_CODES = 4096;
const MAX_BITS = 12;

/**
 * The length in bytes of GIF's LZW data for this number of pixels: up to the end code, or the code of the last pixel. The
 * rest of the data is not part of the image.
 */
export function lzwLength(data: Uint8Array, root_bits: number, pixels: number): number {
  const clearCode = 1 << root_bits;
  const endCode = clearCode + 1;
  /** The number of pixels of each code. */
  const pixelsOf = new Uint32Array(MAX_CODES).fill(1, 0, clearCode);
  let bits = root_bits + 1;
  let nextCode = clearCode + 2;
  let previousPixels = 0; // of the previous code; none after a clear code
  let pixelsRead = 0;
  for (let bit = 0; bit + bits <= data.length * 8; ) {
    const code = codeAt(data, bit, bits);
    if (code !== endCode && pixelsRead >= pixels) return Math.ceil(bit / 8);
    bit += bits;
    if (code === endCode) return Math.ceil(bit / 8);
    if (code === clearCode) {
      bits = root_bits + 1;
      nextCode = clearCode + 2;
      previousPixels = 0;
      continue;
    }
    const codePixels = code < nextCode ? (pixelsOf[code] ?? 1) : previousPixels + 1;
    pixelsRead += codePixels;
    if (previousPixels > 0 && nextCode < MAX_CODES) {
      pixelsOf[nextCode++] = previousPixels + 1;
      if (nextCode === 1 << bits && bits < MAX_BITS) bits++;
    }
    previousPixels = codePixels;
  }
  return data.length;
}

/** Reads a code of `bits` bits at a bit position, lowest bit first. */
function codeAt(data: Uint8Array, at: number, bits: number): number {
  const byte = at >> 3;
  const window = (data[byte] ?? 0) | ((data[byte + 1] ?? 0) << 8) | ((data[byte + 2] ?? 0) << 16);
  return (window >> (at & 7)) & ((1 << bits) - 1);
}
