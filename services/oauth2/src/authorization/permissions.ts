import { invalidPermissionsInteger, invalidPermissionsNegative } from '../errors.ts';

/** The range of permission bits. Chat drops unknown ones. */
const BITS = 2n ** 63n - 1n;

/**
 * The permissions that are requested for a bot, as a decimal number.
 *
 * @throws INVALID_PERMISSIONS_INTEGER, …_NEGATIVE
 */
export function readBotPermissions(text: string | null | undefined): string {
  if (text == null) return '0';
  if (!/^-?[0-9]+$/.test(text)) throw invalidPermissionsInteger();
  const permissions = BigInt(text);
  if (permissions < 0n) throw invalidPermissionsNegative();
  return String(permissions & BITS);
}
