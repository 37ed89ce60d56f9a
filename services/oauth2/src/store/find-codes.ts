import type { Pool } from 'pg';
import type { Hardening } from '../hardening.ts';
import { byteaArray } from './bytea-array.ts';
import { isWithinLifetime } from './lifetime.ts';
import { isSuspended } from './refusals.ts';

/** The parameters that an authorization code is bound to. */
export interface Code {
  readonly application_id: string;
  readonly redirect_uri: string;
  readonly code_challenge: string | null;
  readonly code_challenge_method: 'S256' | 'plain' | null;
}

/** The live codes with these hashes (hex), in the same order; undefined for others, and for those of suspended accounts. */
export async function findCodes(
  db: Pool,
  code_hashes: readonly string[],
  { code_lifetime_seconds }: Pick<Hardening, 'code_lifetime_seconds'>,
): Promise<(Code | undefined)[]> {
  const { rows } = await db.query<Code & { code_hash: string }>({
    name: 'find_codes',
    text: `SELECT encode(code_hash, 'hex') AS code_hash, application_id, redirect_uri, code_challenge,
                  code_challenge_method
             FROM authorization_codes WHERE code_hash = ANY ($1::bytea[]) AND ${isWithinLifetime(code_lifetime_seconds, 'seconds')}
              AND NOT ${isSuspended('authorization_codes.account_id')}`,
    values: [byteaArray(code_hashes)],
  });
  const byHash = new Map(rows.map(({ code_hash, ...code }) => [code_hash, code]));
  return code_hashes.map((code_hash) => byHash.get(code_hash));
}
