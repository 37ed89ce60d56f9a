import type { Pool } from 'pg';
import { APPLICATION_COLUMNS, type Application } from './application.ts';
import { IS_REFUSED_CLIENT } from './refusals.ts';

/** An application as a client of the token routes. */
export interface OauthClient {
  readonly id: string;
  /** SHA-256, in hex; null for a public client. */
  readonly client_secret_hash: string | null;
  /** Null unless there are two secrets. */
  readonly second_secret_hash: string | null;
}

/** The clients with these IDs, in the same order; undefined for unknown and for refused ones. */
export async function findClients(db: Pool, ids: readonly string[]): Promise<(OauthClient | undefined)[]> {
  const { rows } = await db.query<OauthClient>({
    name: 'find_clients',
    text: `SELECT id, encode(client_secret_hash, 'hex') AS client_secret_hash,
                  encode(second_secret_hash, 'hex') AS second_secret_hash
             FROM applications WHERE id = ANY ($1::bigint[]) AND NOT ${IS_REFUSED_CLIENT}`,
    values: [ids],
  });
  const byId = new Map(rows.map((client) => [client.id, client]));
  return ids.map((id) => byId.get(id));
}

/** An application that users can authorize: undefined for an unknown one, and for one that is refused as a client. */
export async function findClientApplication(db: Pool, id: string): Promise<Application | undefined> {
  const { rows } = await db.query<Application>({
    name: 'find_client_application',
    text: `SELECT ${APPLICATION_COLUMNS} FROM applications WHERE id = $1 AND NOT ${IS_REFUSED_CLIENT}`,
    values: [id],
  });
  return rows[0];
}

/** How many of these IDs are applications, refused or not. */
export async function countApplications(db: Pool, ids: readonly string[]): Promise<number> {
  const { rows } = await db.query<{ count: number }>({
    name: 'count_applications',
    text: 'SELECT count(*)::integer FROM applications WHERE id = ANY ($1::bigint[])',
    values: [ids],
  });
  return rows[0]?.count ?? 0;
}
