import type { Client } from '@gatehouse/kit/rpc';
import type { AuthServiceDefinition } from '@gatehouse/proto/auth';
import type { Pool } from 'pg';
import type { Identity } from './store/access-tokens.ts';
import type { Records } from './store/records.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly db: Pool;
  /** Plain records, through Prisma on the same pool. */
  readonly records: Records;
  /** New snowflakes. */
  readonly ids: () => string;
  /** What the access token with this hash grants. Concurrent calls share a statement. */
  readonly identify: (token_hash: string) => Promise<Identity | undefined>;
  readonly auth: Client<typeof AuthServiceDefinition>;
}
