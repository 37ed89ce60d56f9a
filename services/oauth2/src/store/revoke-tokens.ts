import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool, PoolClient } from 'pg';
import { findConsumed } from './consumed-grants.ts';
import { CHUNK_ROWS, deleteChunk, type TokenSelection, type TokenTable } from './delete-chunk.ts';
import { lockAuthorizations } from './grant-lock.ts';
import { recordRevocation } from './grant-revocations.ts';

/** Each application takes an advisory lock, and all databases of a server share a few thousand. */
const APPLICATIONS_AT_ONCE = 100;

/** In the order of deletion: an exchange consumes a code before it issues tokens. */
const REVOKED: readonly TokenTable[] = ['authorization_codes', 'refresh_tokens', 'access_tokens'];

/**
 * Deletes all codes and tokens of a user for some applications, including those of exchanges and consents in progress.
 */
export async function revokeTokens(
  db: Pool,
  account_id: string,
  application_ids: readonly string[],
): Promise<void> {
  for (let at = 0; at < application_ids.length; at += APPLICATIONS_AT_ONCE) {
    const some = application_ids.slice(at, at + APPLICATIONS_AT_ONCE);
    await inSteps(db, account_id, some, (tx) => revokeStep(tx, REVOKED, account_id, some));
  }
}

/**
 * Deletes all codes and tokens of a user for an application that replays a consumed code or refresh token. It also
 * deletes the hashes of the consumed ones, so that their replay does not end a later authorization.
 */
export async function revokeReplayed(db: Pool, application_id: string, grant_hash: string): Promise<void> {
  const account_id = await findConsumed(db, application_id, grant_hash);
  if (account_id === undefined) return;
  let isFirst = false;
  await inSteps(db, account_id, [application_id], async (tx) => {
    isFirst ||= (await findConsumed(tx, application_id, grant_hash)) !== undefined;
    // Otherwise, a concurrent replay was first.
    if (!isFirst) return false;
    return revokeStep(tx, [...REVOKED, 'consumed_grants'], account_id, [application_id]);
  });
}

/** Deletes access tokens only. */
export function revokeAccessTokens(db: Pool, account_id: string, application_id: string): Promise<void> {
  return inSteps(db, account_id, [application_id], (tx) =>
    deleteStep(tx, ['access_tokens'], account_id, [application_id]),
  );
}

/**
 * Repeats `step`, each time in a transaction that locks the user's authorizations of the applications, until it returns
 * false. The last step also finds tokens issued between the transactions. No statement takes long, however many tokens
 * there are.
 */
async function inSteps(
  db: Pool,
  account_id: string,
  application_ids: readonly string[],
  step: (tx: PoolClient) => Promise<boolean>,
): Promise<void> {
  const locked = async (tx: PoolClient) => {
    await lockAuthorizations(tx, account_id, application_ids);
    return step(tx);
  };
  while (await inTransaction(db, locked));
}

/** A step of a revocation. Returns false once nothing is left; consents in progress then cannot store a code. */
async function revokeStep(
  tx: PoolClient,
  tables: readonly TokenTable[],
  account_id: string,
  application_ids: readonly string[],
): Promise<boolean> {
  if (await deleteStep(tx, tables, account_id, application_ids)) return true;
  await recordRevocation(tx, account_id, application_ids);
  return false;
}

/**
 * Deletes from the tables in their order. Returns true as soon as a table may have more rows. Each deletion is a
 * separate statement that begins after the lock is granted, so that it sees all tokens issued before.
 */
async function deleteStep(
  tx: PoolClient,
  tables: readonly TokenTable[],
  account_id: string,
  application_ids: readonly string[],
): Promise<boolean> {
  const selection: TokenSelection = {
    keys: (table, key) =>
      `SELECT ${key} FROM ${table} WHERE account_id = $1 AND application_id = ANY ($2::bigint[])`,
    values: [account_id, application_ids],
  };
  for (const table of tables) if ((await deleteChunk(tx, table, selection)) === CHUNK_ROWS) return true;
  return false;
}
