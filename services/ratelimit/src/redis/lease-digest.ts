import { hash } from 'node:crypto';

/** The first 16 bytes of the SHA-256 of a lease's ID: Redis holds no text of callers, and every lease takes the same space. */
export function leaseDigest(lease_id: string): Buffer {
  return hash('sha256', lease_id, 'buffer').subarray(0, 16);
}
