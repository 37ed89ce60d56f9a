import type { Pool, PoolClient } from 'pg';
import type { Role } from '../role.ts';

type Db = Pool | PoolClient;

/** An operator, without secrets. */
export interface OperatorRow {
  readonly name: string;
  readonly role: Role;
  readonly created_at: Date;
  readonly last_seen_at: Date | null;
  /** Whether a password and TOTP are set. */
  readonly totp: boolean;
  readonly passkeys: number;
}

const COLUMNS = `name, role, created_at, last_seen_at, totp_secret IS NOT NULL AS totp,
  (SELECT count(*)::integer FROM passkeys WHERE operator = name) AS passkeys`;

/** Returns false if there is an operator of this name. */
export async function insertOperator(
  db: Db,
  { name, role }: Pick<OperatorRow, 'name' | 'role'>,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'insert_operator',
    text: 'INSERT INTO operators (name, role) VALUES ($1, $2) ON CONFLICT DO NOTHING',
    values: [name, role],
  });
  return rowCount === 1;
}

export async function findOperator(db: Db, name: string): Promise<OperatorRow | undefined> {
  const { rows } = await db.query<OperatorRow>({
    name: 'find_operator',
    text: `SELECT ${COLUMNS} FROM operators WHERE name = $1`,
    values: [name],
  });
  return rows[0];
}

/**
 * Locks an operator, so that changes of one operator take turns. A second statement reads it: the first one counts the
 * passkeys as they were before it waited.
 */
export async function lockOperator(tx: PoolClient, name: string): Promise<OperatorRow | undefined> {
  await tx.query({
    name: 'lock_operator',
    text: 'SELECT FROM operators WHERE name = $1 FOR UPDATE',
    values: [name],
  });
  return findOperator(tx, name);
}

const MAX_OPERATORS = 1_000;

/** By name, at most 1,000. */
export async function listOperators(db: Db): Promise<OperatorRow[]> {
  const { rows } = await db.query<OperatorRow>({
    name: 'list_operators',
    text: `SELECT ${COLUMNS} FROM operators ORDER BY name LIMIT ${MAX_OPERATORS}`,
  });
  return rows;
}

export async function updateRole(tx: PoolClient, name: string, role: Role): Promise<void> {
  await tx.query({
    name: 'update_role',
    text: 'UPDATE operators SET role = $2 WHERE name = $1',
    values: [name, role],
  });
}

/** Ends everything of the operator by cascades. Returns false if there is none. */
export async function deleteOperator(db: Db, name: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'delete_operator',
    text: 'DELETE FROM operators WHERE name = $1',
    values: [name],
  });
  return rowCount === 1;
}

/** Removes everything with which an operator can sign in, and ends their sessions. The token stays. */
export async function removeFactors(tx: PoolClient, name: string): Promise<void> {
  await tx.query({
    name: 'remove_factors',
    text: `WITH keys AS (DELETE FROM passkeys WHERE operator = $1),
                ended AS (DELETE FROM sessions WHERE operator = $1)
           UPDATE operators SET password_hash = NULL, totp_secret = NULL WHERE name = $1`,
    values: [name],
  });
}

/** Marks an operator as seen, at most once a minute. */
export async function markSeen(db: Db, name: string): Promise<void> {
  await db.query({
    name: 'mark_seen',
    text: `UPDATE operators SET last_seen_at = now()
            WHERE name = $1 AND (last_seen_at IS NULL OR last_seen_at < now() - interval '1 minute')`,
    values: [name],
  });
}
