import { HOTP, Secret, TOTP } from 'otpauth';

// The parameters of RFC 6238 that every authenticator app supports.
const ALGORITHM = 'SHA1';
const DIGITS = 6;
const PERIOD_S = 30;
/** A client's clock may be off by one step (RFC 6238 §5.2). */
const WINDOW = 1;
const SECRET_BYTES = 20;

/** A new secret in base32. */
export function newTotpSecret(): string {
  return new Secret({ size: SECRET_BYTES }).base32;
}

/** The URI that authenticator apps read from a QR code. */
export function totpUri(secret: string, operator: string): string {
  const label = { issuer: 'Gatehouse console', label: operator };
  return new TOTP({
    ...label,
    algorithm: ALGORITHM,
    digits: DIGITS,
    period: PERIOD_S,
    secret: Secret.fromBase32(secret),
  }).toString();
}

/** The steps around this time that have this code: at most one, or by chance more. */
export function matchingSteps(secret: string, code: string, now_ms: number): number[] {
  if (!/^[0-9]{6}$/.test(code)) return [];
  const now = Math.floor(now_ms / 1_000 / PERIOD_S);
  const steps = Array.from({ length: 2 * WINDOW + 1 }, (_, index) => now - WINDOW + index);
  return steps.filter((counter) => {
    const guess = { algorithm: ALGORITHM, digits: DIGITS, token: code, counter, window: 0 };
    // otpauth compares in constant time.
    return HOTP.validate({ ...guess, secret: Secret.fromBase32(secret) }) !== null;
  });
}

/** Binds an encrypted secret to its operator. */
export function totpContext(operator: string): string {
  return `totp:${operator}`;
}
