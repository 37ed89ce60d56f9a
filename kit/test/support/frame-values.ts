import type { ByteRange } from '../../src/rpc/stream/frame-reader.ts';

/** A decoded frame with all bytes in hex: byte arrays, and the ranges of the frame that readers return. */
export function withHexBytes(value: unknown, frame: Uint8Array): unknown {
  if (value instanceof Uint8Array) return Buffer.from(value).toString('hex');
  if (Array.isArray(value)) return value.map((item) => withHexBytes(item, frame));
  if (typeof value !== 'object' || value === null) return value;
  if ('from' in value) {
    const { from, to } = value as ByteRange;
    return withHexBytes(frame.subarray(from, to), frame);
  }
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, withHexBytes(member, frame)]),
  );
}
