import { badId } from '../errors.ts';

const MAX_BYTES = 64;

/**
 * Checks the ID of an account, channel or guild by its length only: its form is its owner's rule.
 *
 * @throws Fault
 */
export function checkId(member: string, id: string): void {
  if (id === '' || Buffer.byteLength(id) > MAX_BYTES) throw badId(member, MAX_BYTES);
}
