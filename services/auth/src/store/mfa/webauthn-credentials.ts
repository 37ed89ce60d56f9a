import type { Pool, PoolClient } from 'pg';
import type { PrismaClient } from '../prisma.ts';

/** A new passkey. */
export interface NewPasskey {
  /** The credential ID of WebAuthn, base64url. */
  readonly id: string;
  /** A COSE key. */
  readonly public_key: Uint8Array;
  /** The signature counter; 0 if the authenticator has none. */
  readonly counter: number;
  readonly transports: readonly string[];
}

/** A passkey's public key, to verify assertions. */
export interface PasskeyKey extends Pick<NewPasskey, 'id' | 'public_key'> {
  readonly account_id: string;
}

/** Identifies a passkey to a client. */
export type PasskeyDescriptor = Pick<NewPasskey, 'id' | 'transports'>;

/** A passkey as shown to its owner. */
export interface PasskeyRecord {
  readonly id: string;
  readonly name: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
}

const RECORD_COLUMNS = 'id, name, created_at, last_used_at';

/** An account's passkeys, oldest first. */
export async function listPasskeys(
  db: Pool | PoolClient,
  account_id: string,
): Promise<(PasskeyRecord & PasskeyDescriptor)[]> {
  const { rows } = await db.query<PasskeyRecord & PasskeyDescriptor>({
    name: 'list_passkeys',
    text: `SELECT ${RECORD_COLUMNS}, transports FROM webauthn_credentials
           WHERE account_id = $1 ORDER BY created_at, id`,
    values: [account_id],
  });
  return rows;
}

/** The passkey with this ID, of any account. */
export async function findPasskey(db: Pool | PoolClient, id: string): Promise<PasskeyKey | undefined> {
  const { rows } = await db.query<PasskeyKey>({
    name: 'find_passkey',
    text: 'SELECT id, account_id, public_key FROM webauthn_credentials WHERE id = $1',
    values: [id],
  });
  return rows[0];
}

/**
 * Inserts a passkey, in a transaction that has locked the factors. Returns undefined if a passkey of any account has
 * this ID.
 */
export async function insertPasskey(
  tx: PoolClient,
  passkey: NewPasskey,
  { account_id, name }: { account_id: string; name: string },
): Promise<PasskeyRecord | undefined> {
  const { rows } = await tx.query<PasskeyRecord>({
    name: 'insert_passkey',
    text: `INSERT INTO webauthn_credentials (id, account_id, name, public_key, counter, transports)
           VALUES ($1, $2, $3, $4, $5, $6)
           ON CONFLICT (id) DO NOTHING
           RETURNING ${RECORD_COLUMNS}`,
    values: [
      passkey.id,
      account_id,
      name,
      Buffer.from(passkey.public_key),
      passkey.counter,
      passkey.transports,
    ],
  });
  return rows[0];
}

/**
 * Records a use of a passkey and its counter. Returns false if the passkey is gone or its counter has not grown: the
 * same response was used before, or there are two copies of the key. Authenticators without a counter always send 0
 * (WebAuthn Level 3, section 6.1.1).
 */
export async function recordPasskeyUse(
  db: Pool | PoolClient,
  { id, account_id, counter }: { id: string; account_id: string; counter: number },
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'record_passkey_use',
    text: `UPDATE webauthn_credentials SET counter = $3, last_used_at = now()
           WHERE id = $1 AND account_id = $2 AND (counter < $3 OR (counter = 0 AND $3 = 0))`,
    values: [id, account_id, counter],
  });
  return rowCount === 1;
}

/** Renames a passkey. Undefined if the account has no such passkey. */
export async function renamePasskey(
  prisma: PrismaClient,
  { id, account_id, name }: { id: string; account_id: string; name: string },
): Promise<PasskeyRecord | undefined> {
  const [renamed] = await prisma.webauthnCredential.updateManyAndReturn({
    where: { id, account_id: BigInt(account_id) },
    data: { name },
    select: { id: true, name: true, created_at: true, last_used_at: true },
  });
  return renamed;
}

/** Deletes a passkey, in a transaction that has locked the factors. Returns false if the account does not have it. */
export async function deletePasskey(tx: PoolClient, id: string, account_id: string): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'delete_passkey',
    text: 'DELETE FROM webauthn_credentials WHERE id = $1 AND account_id = $2',
    values: [id, account_id],
  });
  return rowCount === 1;
}
