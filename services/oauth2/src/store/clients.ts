import type { Pool } from 'pg';

/** An application as a client of the token routes. */
export interface OauthClient {
  readonly id: string;
  /** SHA-256, in hex; null for a public client. */
  readonly client_secret_hash: string | null;
  /** Null unless there are two secrets. */
  readonly second_secret_hash: string | null;
}

/** The clients with these IDs, in the same order; undefined for unknown ones. */
export async function findClients(db: Pool, ids: readonly string[]): Promise<(OauthClient | undefined)[]> {
  const { rows } = await db.query<OauthClient>({
    name: 'find_clients',
    text: `SELECT id, encode(client_secret_hash, 'hex') AS client_secret_hash,
                  encode(second_secret_hash, 'hex') AS second_secret_hash
             FROM applications WHERE id = ANY ($1::bigint[])`,
    values: [ids],
  });
  const byId = new Map(rows.map((client) => [client.id, client]));
  return ids.map((id) => byId.get(id));
}
