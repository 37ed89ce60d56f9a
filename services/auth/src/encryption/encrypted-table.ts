import type { Pool } from 'pg';
import type { EncryptedValue } from '../store/encryption/encrypted-value.ts';
import type { Encryption } from './encryption.ts';

/** A table with an encrypted column, for re-encryption. */
export interface EncryptedTable {
  readonly name: string;
  /** The encryption context of a value; `id` is its account's or its mail's. */
  context(id: string): string;
  /** The values after an ID, ordered by ID. Values with the same ID are never split between pages. */
  page(db: Pool, after: string, limit: number): Promise<EncryptedValue[]>;
  /** Encrypts values under the newest key if they have not changed. Returns the old bytes of the replaced ones. */
  reencrypt(db: Pool, encryption: Encryption, values: readonly DecryptedValue[]): Promise<Buffer[]>;
}

/** An encrypted value and its text. */
export interface DecryptedValue extends EncryptedValue {
  readonly text: string;
}
