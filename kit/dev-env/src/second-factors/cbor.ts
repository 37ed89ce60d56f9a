import type { KeyObject } from 'node:crypto';

/** The subset of CBOR that authenticators write (RFC 8949): integers, bytes, text, arrays, maps. */
export function cbor(value: unknown): Buffer {
  if (typeof value === 'number') return value < 0 ? head(1, -1 - value) : head(0, value);
  if (typeof value === 'string')
    return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (value instanceof Uint8Array) return Buffer.concat([head(2, value.length), value]);
  if (Array.isArray(value)) return Buffer.concat([head(4, value.length), ...value.map(cbor)]);
  if (value instanceof Map) {
    return Buffer.concat([
      head(5, value.size),
      ...[...value].flatMap(([key, member]) => [cbor(key), cbor(member)]),
    ]);
  }
  throw new TypeError(`no CBOR for ${typeof value}`);
}

/** A public key in an authenticator's format (RFC 9053, section 7; RFC 8230, section 4). */
export function coseKey(key: KeyObject): Map<number, unknown> {
  const { kty, x = '', y = '', n = '', e = '' } = key.export({ format: 'jwk' });
  const bytes = (text: string) => Buffer.from(text, 'base64url');
  switch (kty) {
    case 'EC':
      return new Map<number, unknown>([
        [1, 2],
        [3, -7],
        [-1, 1],
        [-2, bytes(x)],
        [-3, bytes(y)],
      ]);
    case 'OKP':
      return new Map<number, unknown>([
        [1, 1],
        [3, -8],
        [-1, 6],
        [-2, bytes(x)],
      ]);
    case 'RSA':
      return new Map<number, unknown>([
        [1, 3],
        [3, -257],
        [-1, bytes(n)],
        [-2, bytes(e)],
      ]);
    default:
      throw new TypeError(`no COSE key of ${kty}`);
  }
}

/** Attested credential data (WebAuthn Level 3, section 6.5.1), with an AAGUID of zeros. */
export function attestedData(id: Buffer, publicKey: Map<number, unknown>): Buffer {
  const length = Buffer.alloc(2);
  length.writeUInt16BE(id.length);
  return Buffer.concat([Buffer.alloc(16), length, id, cbor(publicKey)]);
}

function head(type: number, size: number): Buffer {
  if (size < 24) return Buffer.from([(type << 5) | size]);
  if (size < 0x100) return Buffer.from([(type << 5) | 24, size]);
  const long = size < 0x10000 ? Buffer.alloc(3) : Buffer.alloc(5);
  long[0] = (type << 5) | (long.length === 3 ? 25 : 26);
  if (long.length === 3) long.writeUInt16BE(size, 1);
  else long.writeUInt32BE(size, 1);
  return long;
}
