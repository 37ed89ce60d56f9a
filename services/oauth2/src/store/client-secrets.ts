import type { Pool } from 'pg';
import { byteaArray } from './bytea-array.ts';

/** A client secret without its value. */
export interface ClientSecret {
  readonly id: string;
  /** The last four characters. Null for a secret that an earlier version made, as `created_at`. */
  readonly hint: string | null;
  readonly created_at: Date | null;
  readonly last_used_at: Date | null;
}

/** The stored form of a new client secret. */
export interface NewClientSecret {
  readonly id: string;
  readonly hash: Uint8Array<ArrayBuffer>;
  readonly hint: string;
}

const FIRST = `coalesce(client_secret_id, id) AS id, client_secret_hint AS hint,
  client_secret_created_at AS created_at, client_secret_used_at AS last_used_at`;
const SECOND = `second_secret_id AS id, second_secret_hint AS hint,
  second_secret_created_at AS created_at, second_secret_used_at AS last_used_at`;

/** The client secrets of an application, the older first; none of a public client. */
export async function findClientSecrets(db: Pool, application_id: string): Promise<ClientSecret[]> {
  const { rows } = await db.query<ClientSecret>({
    name: 'find_client_secrets',
    text: `SELECT ${FIRST} FROM applications WHERE id = $1 AND client_secret_hash IS NOT NULL
            UNION ALL
           SELECT ${SECOND} FROM applications WHERE id = $1 AND second_secret_hash IS NOT NULL`,
    values: [application_id],
  });
  return rows;
}

/** Adds a second secret. Undefined, without a change, if there is no application with exactly one secret. */
export async function addClientSecret(
  db: Pool,
  application_id: string,
  { id, hash, hint }: NewClientSecret,
): Promise<ClientSecret | undefined> {
  const { rows } = await db.query<ClientSecret>({
    name: 'add_client_secret',
    text: `UPDATE applications
              SET second_secret_hash = $2, second_secret_id = $3, second_secret_hint = $4,
                  second_secret_created_at = now(), second_secret_used_at = NULL
            WHERE id = $1 AND client_secret_hash IS NOT NULL AND second_secret_hash IS NULL
        RETURNING ${SECOND}`,
    values: [application_id, hash, id, hint],
  });
  return rows[0];
}

/** Deletes one of two secrets. Returns false, without a change, if there is no such secret or only one. */
export async function deleteClientSecret(db: Pool, application_id: string, id: string): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'delete_client_secret',
    // If the first is deleted, the second takes its place.
    text: `UPDATE applications
              SET client_secret_hash = CASE WHEN second_secret_id = $2 THEN client_secret_hash ELSE second_secret_hash END,
                  client_secret_id = CASE WHEN second_secret_id = $2 THEN client_secret_id ELSE second_secret_id END,
                  client_secret_hint = CASE WHEN second_secret_id = $2 THEN client_secret_hint ELSE second_secret_hint END,
                  client_secret_created_at = CASE WHEN second_secret_id = $2 THEN client_secret_created_at ELSE second_secret_created_at END,
                  client_secret_used_at = CASE WHEN second_secret_id = $2 THEN client_secret_used_at ELSE second_secret_used_at END,
                  ${NO_SECOND}
            WHERE id = $1 AND second_secret_hash IS NOT NULL
              AND $2 IN (coalesce(client_secret_id, id), second_secret_id)`,
    values: [application_id, id],
  });
  return rowCount === 1;
}

/** SQL: the assignments that remove a second secret. */
export const NO_SECOND = `second_secret_hash = NULL, second_secret_id = NULL, second_secret_hint = NULL,
  second_secret_created_at = NULL, second_secret_used_at = NULL`;

/** Replaces all secrets of an application by one. Returns false if there is no such application, or it is a public client. */
export async function replaceClientSecrets(
  db: Pool,
  application_id: string,
  { id, hash, hint }: NewClientSecret,
): Promise<boolean> {
  const { rowCount } = await db.query({
    name: 'replace_client_secrets',
    text: `UPDATE applications
              SET client_secret_hash = $2, client_secret_id = $3, client_secret_hint = $4,
                  client_secret_created_at = now(), client_secret_used_at = NULL, ${NO_SECOND}
            WHERE id = $1 AND client_secret_hash IS NOT NULL`,
    values: [application_id, hash, id, hint],
  });
  return rowCount === 1;
}

/** A client secret that a request has proved. */
export interface UsedSecret {
  readonly application_id: string;
  /** SHA-256, in hex. */
  readonly hash: string;
}

/**
 * Stores that secrets were used just now, at most once a minute each. A row that another statement has locked is skipped.
 */
export async function touchClientSecrets(db: Pool, used: readonly UsedSecret[]): Promise<void> {
  await db.query({
    name: 'touch_client_secrets',
    text: `WITH due AS MATERIALIZED (
             SELECT id FROM applications
              WHERE id = ANY ($1::bigint[]) AND (${isDue('client_secret')} OR ${isDue('second_secret')})
              ORDER BY id FOR NO KEY UPDATE SKIP LOCKED)
           UPDATE applications
              SET client_secret_used_at = ${usedAt('client_secret')}, second_secret_used_at = ${usedAt('second_secret')}
             FROM due WHERE applications.id = due.id`,
    values: [used.map(({ application_id }) => application_id), byteaArray(used.map(({ hash }) => hash))],
  });
}

/** SQL: a digest is of one application only, so it needs no comparison with the ID beside it. */
const isDue = (secret: string) => `(${secret}_hash = ANY ($2::bytea[])
  AND (${secret}_used_at IS NULL OR ${secret}_used_at < now() - interval '1 minute'))`;

const usedAt = (secret: string) => `CASE WHEN ${isDue(secret)} THEN now() ELSE ${secret}_used_at END`;
