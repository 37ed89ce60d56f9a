import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool, PoolClient } from 'pg';
import { deleteChunk } from './delete-chunk.ts';
import { lockAuthorizations } from './grant-lock.ts';
import { revokedWithin } from './grant-revocations.ts';
import type { PrismaClient } from './prisma.ts';
import { isSuspended } from './refusals.ts';

/** Maximum unused codes of a user for an application (docs/oauth2.md#grant-limits). */
const MAX_UNUSED = 100;

/** The challenge that a code is bound to (docs/oauth2.md#pkce). */
export interface Challenge {
  readonly code_challenge: string;
  readonly code_challenge_method: 'S256' | 'plain';
}

export interface NewCode {
  /** SHA-256, in hex. */
  readonly code_hash: string;
  readonly application_id: string;
  readonly account_id: string;
  readonly scopes: readonly string[];
  readonly redirect_uri: string;
  readonly challenge: Challenge | undefined;
}

/**
 * Stores a code, and deletes the oldest codes over the limit. Returns false if the application is gone. If the user's
 * authorization of the application was revoked since `begun_ms` (performance.now()), or the user is suspended, it stores
 * nothing and returns true: the code is dead before anybody has seen it.
 */
export function insertCode(db: Pool, code: NewCode, begun_ms: number): Promise<boolean> {
  const { account_id, application_id } = code;
  return inTransaction(db, async (tx) => {
    if (!(await lockAuthorizations(tx, account_id, [application_id]))) return false;
    await deleteSurplusCodes(tx, account_id, application_id);
    await insert(tx, code, performance.now() - begun_ms);
    return true;
  });
}

/** Deletes the oldest codes, so that one more is within the limit. */
async function deleteSurplusCodes(tx: PoolClient, account_id: string, application_id: string): Promise<void> {
  await deleteChunk(tx, 'authorization_codes', {
    keys: (table, key) => `
      SELECT ${key} FROM ${table} WHERE account_id = $1 AND application_id = $2
       ORDER BY created_at DESC OFFSET ${MAX_UNUSED - 1}`,
    values: [account_id, application_id],
  });
}

async function insert(tx: PoolClient, code: NewCode, elapsed_ms: number): Promise<void> {
  const { code_hash, application_id, account_id, scopes, redirect_uri, challenge } = code;
  await tx.query({
    name: 'insert_code',
    text: `INSERT INTO authorization_codes
             (code_hash, application_id, account_id, scopes, redirect_uri, code_challenge, code_challenge_method,
              created_at)
           SELECT decode($1, 'hex'), $2::bigint, $3::bigint, $4, $5, $6, $7, clock_timestamp()
            WHERE NOT ${revokedWithin('$3::bigint', '$2::bigint', '$8::double precision')}
              AND NOT ${isSuspended('$3::bigint')}`,
    values: [
      code_hash,
      application_id,
      account_id,
      scopes,
      redirect_uri,
      challenge?.code_challenge ?? null,
      challenge?.code_challenge_method ?? null,
      elapsed_ms,
    ],
  });
}

/** Deletes a code that nobody has seen. */
export async function deleteCode(prisma: PrismaClient, code_hash: string): Promise<void> {
  await prisma.authorizationCode.deleteMany({ where: { code_hash: Buffer.from(code_hash, 'hex') } });
}
