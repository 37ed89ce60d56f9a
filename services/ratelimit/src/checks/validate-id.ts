import { badId } from '../errors.ts';

const MAX_ID_BYTES = 64;

/**
 * Validates only the length of the ID of an account, channel or guild: the format is up to the service that owns it.
 *
 * @throws BAD_IDENTITY
 */
export function validateId(path: string, id: string): void {
  if (id === '' || Buffer.byteLength(id) > MAX_ID_BYTES) throw badId(path, MAX_ID_BYTES);
}
