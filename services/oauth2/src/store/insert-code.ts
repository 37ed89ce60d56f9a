import type { Pool } from 'pg';
import type { Challenge } from '../tokens/pkce.ts';

export interface NewCode {
  /** SHA-256, in hex. */
  readonly code_hash: string;
  readonly application_id: string;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly redirect_uri: string;
  readonly challenge: Challenge | undefined;
}

/** Stores a code; false: its application is gone. */
export async function insertCode(db: Pool, code: NewCode): Promise<boolean> {
  const { code_hash, application_id, account_id, scopes, redirect_uri, challenge } = code;
  const { rowCount } = await db.query({
    name: 'insert_code',
    text: `INSERT INTO authorization_codes
             (code_hash, application_id, account_id, scopes, redirect_uri, code_challenge, code_challenge_method)
           SELECT decode($1, 'hex'), id, $3, $4, $5, $6, $7 FROM applications WHERE id = $2 FOR KEY SHARE`,
    values: [
      code_hash,
      application_id,
      account_id,
      scopes,
      redirect_uri,
      challenge?.code_challenge ?? null,
      challenge?.code_challenge_method ?? null,
    ],
  });
  return rowCount === 1;
}

/** Takes a code back that nobody was given. */
export async function deleteCode(db: Pool, code_hash: string): Promise<void> {
  await db.query({
    name: 'delete_code',
    text: `DELETE FROM authorization_codes WHERE code_hash = decode($1, 'hex')`,
    values: [code_hash],
  });
}
