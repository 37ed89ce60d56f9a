import type { Pool, PoolClient } from 'pg';

type Db = Pool | PoolClient;

/** A passkey of an operator. */
export interface PasskeyRow {
  /** The credential's ID in base64url. */
  readonly id: string;
  readonly operator: string;
  readonly public_key: Uint8Array<ArrayBuffer>;
  readonly counter: number;
  readonly transports: readonly string[];
}

/** Returns false if the passkey is there already. */
export async function insertPasskey(tx: PoolClient, key: PasskeyRow): Promise<boolean> {
  const { rowCount } = await tx.query({
    name: 'insert_passkey',
    text: `INSERT INTO passkeys (id, operator, public_key, counter, transports) VALUES ($1, $2, $3, $4, $5)
           ON CONFLICT DO NOTHING`,
    values: [key.id, key.operator, Buffer.from(key.public_key), key.counter, key.transports],
  });
  return rowCount === 1;
}

export async function listPasskeys(
  db: Db,
  operator: string,
): Promise<Pick<PasskeyRow, 'id' | 'transports'>[]> {
  const { rows } = await db.query<Pick<PasskeyRow, 'id' | 'transports'>>({
    name: 'list_passkeys',
    text: 'SELECT id, transports FROM passkeys WHERE operator = $1 ORDER BY created_at LIMIT 100',
    values: [operator],
  });
  return rows;
}

export async function findPasskey(db: Db, id: string): Promise<PasskeyRow | undefined> {
  const { rows } = await db.query<Omit<PasskeyRow, 'counter'> & { counter: string }>({
    name: 'find_passkey',
    text: 'SELECT id, operator, public_key, counter, transports FROM passkeys WHERE id = $1',
    values: [id],
  });
  const [row] = rows;
  return row && { ...row, public_key: Uint8Array.from(row.public_key), counter: Number(row.counter) };
}

/**
 * Records a use. Returns false if the counter has not grown: then the key was copied, or another use came first. Many
 * authenticators always send 0.
 */
export async function recordPasskeyUse(db: Db, id: string, counter: number): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'record_passkey_use',
    text: 'UPDATE passkeys SET counter = $2 WHERE id = $1 AND (counter < $2 OR (counter = 0 AND $2 = 0))',
    values: [id, counter],
  });
  return rowCount === 1;
}
