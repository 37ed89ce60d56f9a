import { badRequest } from '../errors.ts';

/** @throws BAD_REQUEST for a malformed ID */
export function requireUploadId(id: string): void {
  if (!/^\d{1,18}$/.test(id)) throw badRequest('An upload has a number.');
}
