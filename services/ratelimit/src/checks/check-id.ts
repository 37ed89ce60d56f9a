import { badId } from '../errors.ts';

const MAX_BYTES = 64;

/** An account's, channel's or guild's ID: its form is its owner's matter, its length is not. @throws Fault */
export function checkId(member: string, id: string): void {
  if (id === '' || Buffer.byteLength(id) > MAX_BYTES) throw badId(member, MAX_BYTES);
}
