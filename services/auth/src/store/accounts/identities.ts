import type { Pool } from 'pg';
import { andLive, type SessionLifetime } from '../sessions/session-lifetime.ts';

/** A well-formed token of one kind, hashed. */
export interface Credential {
  readonly kind: 'session' | 'bot';
  /** SHA-256, hex. */
  readonly token_hash: string;
}

/** The account of a live credential. */
export interface Identity {
  readonly account_id: string;
  readonly credential_id: string;
}

/**
 * Looks up credentials in one statement, each kind in its own table. The result has the same order. A suspension ends the
 * sessions of its account; bot tokens are kept, and refused here.
 */
export function identityFinder(
  db: Pool,
  lifetime: SessionLifetime,
): (credentials: readonly Credential[]) => Promise<(Identity | undefined)[]> {
  const text = `SELECT encode(token_hash, 'hex') AS token_hash, account_id, id AS credential_id
                  FROM sessions WHERE token_hash = ANY ($1::bytea[])${andLive(lifetime)}
                UNION ALL
                SELECT encode(token_hash, 'hex'), application_id, id
                  FROM bot_tokens WHERE token_hash = ANY ($2::bytea[]) AND NOT disabled
                   AND NOT EXISTS (SELECT FROM accounts
                                    WHERE id IN (application_id, owner_id) AND suspended_at IS NOT NULL)`;
  return async (credentials) => {
    const values = [byteaArray(credentials, 'session'), byteaArray(credentials, 'bot')];
    const { rows } = await db.query<Identity & { token_hash: string }>({
      name: 'find_identities',
      text,
      values,
    });
    const byHash = new Map(rows.map((row) => [row.token_hash, row]));
    return credentials.map(({ token_hash }) => byHash.get(token_hash));
  };
}

/** A PostgreSQL array in its text form, because pg would first create a Buffer for each hash. */
function byteaArray(credentials: readonly Credential[], kind: Credential['kind']): string {
  const hashes = credentials.filter((credential) => credential.kind === kind);
  return `{${hashes.map(({ token_hash }) => `"\\\\x${token_hash}"`).join(',')}}`;
}
