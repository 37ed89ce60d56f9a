import { createPublicKey, type JsonWebKey } from 'node:crypto';

/** COSE numbers: Ed25519, ECDSA on P-256 with SHA-256, RSA PKCS #1 v1.5 with SHA-256. */
export const ALGORITHMS = [-8, -7, -257];

/**
 * Whether a COSE key can verify signatures of an offered algorithm. A passkey with any other key could be added, but would
 * never work as a second factor.
 *
 * @throws if it is not a COSE key
 */
export async function isUsableKey(public_key: Uint8Array<ArrayBuffer>): Promise<boolean> {
  const jwk = await jwkOf(public_key);
  if (jwk === undefined) return false;
  createPublicKey({ key: jwk, format: 'jwk' }); // throws for a point that is not on the curve
  return true;
}

const RSA_BYTES = { min: 256, max: 512 };

async function jwkOf(public_key: Uint8Array<ArrayBuffer>): Promise<JsonWebKey | undefined> {
  const { cose, decodeCredentialPublicKey } = await import('@simplewebauthn/server/helpers');
  const { COSEKEYS, COSECRV } = cose;
  const key = decodeCredentialPublicKey(public_key);
  const alg: number | undefined = key.get(COSEKEYS.alg);
  if (alg === -7 && cose.isCOSEPublicKeyEC2(key) && key.get(COSEKEYS.crv) === COSECRV.P256) {
    return { kty: 'EC', crv: 'P-256', x: base64url(key.get(COSEKEYS.x)), y: base64url(key.get(COSEKEYS.y)) };
  }
  if (alg === -8 && cose.isCOSEPublicKeyOKP(key) && key.get(COSEKEYS.crv) === COSECRV.ED25519) {
    return { kty: 'OKP', crv: 'Ed25519', x: base64url(key.get(COSEKEYS.x)) };
  }
  if (alg === -257 && cose.isCOSEPublicKeyRSA(key)) {
    const n = key.get(COSEKEYS.n);
    const e = key.get(COSEKEYS.e);
    // Larger keys would make verification too expensive.
    if (n === undefined || n.length < RSA_BYTES.min || n.length > RSA_BYTES.max) return undefined;
    if (e === undefined || e.length > 4) return undefined;
    return { kty: 'RSA', n: base64url(n), e: base64url(e) };
  }
  return undefined;
}

function base64url(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('base64url');
}
