import type { Pool } from 'pg';
import { andLive, type SessionLifetime } from './session-lifetime.ts';

/** A well-formed token of one kind, hashed. */
export interface Credential {
  readonly kind: 'session' | 'bot';
  /** SHA-256, hex. */
  readonly token_hash: string;
}

/** Whom a live credential stands for. */
export interface Identity {
  readonly account_id: string;
  readonly credential_id: string;
}

interface Row extends Identity {
  readonly token_hash: string;
}

/** Looks all of them up in one statement, each only among its own kind; answers in order. */
export function identityFinder(
  db: Pool,
  lifetime: SessionLifetime,
): (credentials: readonly Credential[]) => Promise<(Identity | undefined)[]> {
  const text = `SELECT encode(token_hash, 'hex') AS token_hash, account_id, id AS credential_id
                  FROM sessions WHERE token_hash = ANY ($1::bytea[])${andLive(lifetime)}
                UNION ALL
                SELECT encode(token_hash, 'hex'), application_id, id
                  FROM bot_tokens WHERE token_hash = ANY ($2::bytea[])`;
  return async (credentials) => {
    const values = [byteaArray(credentials, 'session'), byteaArray(credentials, 'bot')];
    const { rows } = await db.query<Row>({ name: 'find_identities', text, values });
    const byHash = new Map(rows.map((row) => [row.token_hash, row]));
    return credentials.map(({ token_hash }) => byHash.get(token_hash));
  };
}

/** As PostgreSQL reads it: pg would first make a Buffer of each hash and then this of all of them. */
function byteaArray(credentials: readonly Credential[], kind: Credential['kind']): string {
  const hashes = credentials.filter((credential) => credential.kind === kind);
  return `{${hashes.map(({ token_hash }) => `"\\\\x${token_hash}"`).join(',')}}`;
}
