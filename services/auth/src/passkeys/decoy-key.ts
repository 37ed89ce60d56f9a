import type { PasskeyKey } from '../store/mfa/webauthn-credentials.ts';

/**
 * A P-256 public key without a private key. Assertions by unknown passkeys are verified with it, so that they take as
 * long as those by known ones.
 */
export function decoyKey(): Promise<Pick<PasskeyKey, 'id' | 'public_key'>> {
  key ??= newKey();
  return key;
}

let key: ReturnType<typeof newKey> | undefined;

async function newKey() {
  const { subtle } = globalThis.crypto;
  const { publicKey } = await subtle.generateKey({ name: 'ECDSA', namedCurve: 'P-256' }, false, [
    'sign',
    'verify',
  ]);
  const point = Buffer.from(await subtle.exportKey('raw', publicKey)); // 04, x, y (SEC 1 §2.3.3)
  return { id: 'decoy', public_key: cose(point.subarray(1, 33), point.subarray(33)) };
}

/** {1: 2, 3: -7, -1: 1, -2: x, -3: y} in CBOR (RFC 9053 §7.1.1). */
function cose(x: Uint8Array, y: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.from('a5010203262001215820', 'hex'), x, Buffer.from('225820', 'hex'), y]);
}
