const MAX_CODES = 4096;
const MAX_BITS = 12;

/**
 * The length in bytes of GIF's LZW data for this number of pixels: up to the end code, or the code of the last pixel. The
 * rest of the data is not part of the image.
 */
export function lzwLength(data: Uint8Array, root_bits: number, pixels: number): number {
  const clear = 1 << root_bits;
  const end = clear + 1;
  /** The number of pixels of each code. */
  const lengths = new Uint32Array(MAX_CODES).fill(1, 0, clear);
  let bits = root_bits + 1;
  let next = clear + 2;
  let before = 0; // the pixels of the previous code; none after a clear code
  let seen = 0;
  for (let at = 0; at + bits <= data.length * 8; ) {
    const code = codeAt(data, at, bits);
    if (code !== end && seen >= pixels) return Math.ceil(at / 8);
    at += bits;
    if (code === end) return Math.ceil(at / 8);
    if (code === clear) {
      bits = root_bits + 1;
      next = clear + 2;
      before = 0;
      continue;
    }
    const length = code < next ? (lengths[code] ?? 1) : before + 1;
    seen += length;
    if (before > 0 && next < MAX_CODES) {
      lengths[next++] = before + 1;
      if (next === 1 << bits && bits < MAX_BITS) bits++;
    }
    before = length;
  }
  return data.length;
}

/** Reads a code of `bits` bits at a bit position, lowest bit first. */
function codeAt(data: Uint8Array, at: number, bits: number): number {
  const byte = at >> 3;
  const window = (data[byte] ?? 0) | ((data[byte + 1] ?? 0) << 8) | ((data[byte + 2] ?? 0) << 16);
  return (window >> (at & 7)) & ((1 << bits) - 1);
}
