import { hash } from 'node:crypto';
import { databaseUrl, openPool } from '@gatehouse/kit/db/pool';
import { batcher } from '@gatehouse/kit/queues/batch';
import type { Pool } from 'pg';
import { byteaArray } from '../../services/oauth2/src/store/bytea-array.ts';
import { findClients } from '../../services/oauth2/src/store/clients.ts';
import { findTokens, type TokenQuery } from '../../services/oauth2/src/store/find-tokens.ts';
import type { BenchOptions } from '../bench.ts';
import { alternate, type RateCase } from '../ratelimit/rate.ts';
import { nthPair, PAIRS } from './population.ts';

const AT_A_TIME = [4, 32] as const;

/** The queries of an introspection: client and token in one statement, compared with two statements. */
export async function lookUps(server_url: string, options: BenchOptions): Promise<void> {
  const db = openPool({ database_url: databaseUrl(server_url, 'oauth2'), application_name: 'bench', max: 8 });
  try {
    await alternate(
      'client and token of an introspection',
      AT_A_TIME.flatMap((concurrency) => lookUpCases(db, concurrency)),
      options,
    );
  } finally {
    await db.end();
  }
}

function lookUpCases(db: Pool, concurrency: number): RateCase[] {
  const findClient = batcher({ run: (ids: readonly string[]) => findClients(db, ids) });
  const findTokenAlone = batcher({ run: (hashes: readonly string[]) => findTokensAlone(db, hashes) });
  const findToken = batcher({
    run: (asked: readonly TokenQuery[]) => findTokens(db, asked, { refresh_token_lifetime_days: undefined }),
  });
  return [
    {
      name: `client and token ${concurrency}`,
      concurrency,
      once: async () => {
        const { client, token } = await findToken(anyToken());
        return client !== undefined && token !== undefined ? 1 : 0;
      },
    },
    {
      name: `client, then token ${concurrency}`,
      concurrency,
      once: async () => {
        const { client_id, token_hash } = anyToken();
        const client = await findClient(client_id);
        const token = await findTokenAlone(token_hash);
        return client !== undefined && token !== undefined ? 1 : 0;
      },
    },
  ];
}

function anyToken(): TokenQuery & { readonly client_id: string } {
  const { client_id, access_token } = nthPair(Math.floor(Math.random() * PAIRS));
  return { client_id, token_hash: hash('sha256', access_token, 'hex') };
}

async function findTokensAlone(db: Pool, token_hashes: readonly string[]): Promise<unknown[]> {
  const { rows } = await db.query<{ token_hash: string }>({
    name: 'find_tokens_alone',
    text: `SELECT encode(token_hash, 'hex') AS token_hash, 'access' AS kind, application_id, account_id, scopes,
                  created_at, expires_at
             FROM access_tokens WHERE token_hash = ANY ($1::bytea[]) AND expires_at > now()
           UNION ALL
           SELECT encode(token_hash, 'hex'), 'refresh', application_id, account_id, scopes, created_at, NULL
             FROM refresh_tokens WHERE token_hash = ANY ($1::bytea[])`,
    values: [byteaArray(token_hashes)],
  });
  const byHash = new Map(rows.map((row) => [row.token_hash, row]));
  return token_hashes.map((token_hash) => byHash.get(token_hash));
}
