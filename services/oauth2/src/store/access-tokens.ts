import type { Pool } from 'pg';
import { byteaArray } from './bytea-array.ts';
import { isRefused } from './refusals.ts';

/** User, application and scopes of a live access token. */
export interface Identity {
  readonly account_id: string;
  readonly credential_id: string;
  readonly application_id: string;
  readonly scopes: string[];
}

/**
 * The identities of access tokens, by SHA-256 in hex and in the same order; undefined for tokens that are not live
 * or that are refused. The tokens of a deleted application are deleted with it.
 */
export async function findIdentities(
  db: Pool,
  token_hashes: readonly string[],
): Promise<(Identity | undefined)[]> {
  const { rows } = await db.query<Identity & { token_hash: string }>({
    name: 'find_identities',
    text: `SELECT encode(token_hash, 'hex') AS token_hash, account_id, id AS credential_id, application_id, scopes
             FROM access_tokens WHERE token_hash = ANY ($1::bytea[]) AND expires_at > now()
              AND NOT ${isRefused('access_tokens')}`,
    values: [byteaArray(token_hashes)],
  });
  const byHash = new Map(rows.map(({ token_hash, ...identity }) => [token_hash, identity]));
  return token_hashes.map((token_hash) => byHash.get(token_hash));
}
