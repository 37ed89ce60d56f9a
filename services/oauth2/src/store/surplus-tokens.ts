import { inTransaction } from '@gatehouse/kit/db/transaction';
import type { Pool } from 'pg';
import { deleteChunk } from './delete-chunk.ts';
import { lockAuthorizations } from './grant-lock.ts';

/** Maximum tokens of a user for an application (docs/oauth2.md#grant-limits). */
const MAX_LIVE = { access_tokens: 100, refresh_tokens: 1_000 } as const;
type Table = keyof typeof MAX_LIVE;

/** SQL: whether a token is live. */
const LIVE = { access_tokens: 'expires_at > now()', refresh_tokens: 'true' } as const;

/** A user's authorization of an application. */
export interface AuthorizationKey {
  readonly account_id: string;
  readonly application_id: string;
}

/** Deletes the oldest tokens over a user's limit for an application. */
export async function deleteSurplusTokens(
  db: Pool,
  authorizations: readonly AuthorizationKey[],
): Promise<void> {
  if (authorizations.length === 0) return;
  for (const table of ['access_tokens', 'refresh_tokens'] as const)
    for (const authorization of await findSurplus(db, table, authorizations))
      await deleteSurplus(db, table, authorization);
}

async function findSurplus(
  db: Pool,
  table: Table,
  authorizations: readonly AuthorizationKey[],
): Promise<readonly AuthorizationKey[]> {
  const { rows } = await db.query<AuthorizationKey>({
    name: `find_surplus_${table}`,
    text: `SELECT account_id, application_id FROM (
             SELECT DISTINCT account_id, application_id FROM unnest($1::bigint[], $2::bigint[])
               AS given(account_id, application_id)) AS authorizations
            WHERE EXISTS (
              SELECT FROM ${table} AS token
               WHERE token.account_id = authorizations.account_id
                 AND token.application_id = authorizations.application_id
                 AND ${LIVE[table]} OFFSET ${MAX_LIVE[table]})`,
    values: [
      authorizations.map(({ account_id }) => account_id),
      authorizations.map(({ application_id }) => application_id),
    ],
  });
  return rows;
}

async function deleteSurplus(
  db: Pool,
  table: Table,
  { account_id, application_id }: AuthorizationKey,
): Promise<void> {
  await inTransaction(db, async (tx) => {
    await lockAuthorizations(tx, account_id, [application_id]);
    await deleteChunk(tx, table, {
      keys: (name, key) => `
        SELECT ${key} FROM ${name} WHERE account_id = $1 AND application_id = $2 AND ${LIVE[table]}
         ORDER BY created_at DESC, id DESC OFFSET ${MAX_LIVE[table]}`,
      values: [account_id, application_id],
    });
  });
}
