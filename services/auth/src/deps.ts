import type { Pool } from 'pg';
import type { Passwords } from './passwords.ts';
import type { Account } from './store/account.ts';
import type { Credential, Identity } from './store/identities.ts';
import type { Records } from './store/records.ts';

/** What the RPCs take from `start`. */
export interface Deps {
  readonly db: Pool;
  /** The plain records, through Prisma on the same pool. */
  readonly records: Records;
  /** New snowflakes. */
  readonly ids: () => string;
  readonly passwords: Passwords;
  /** Whom a credential stands for; calls of the same moment share a statement. */
  readonly identify: (credential: Credential) => Promise<Identity | undefined>;
  /** One account; calls of the same moment share a statement. */
  readonly findAccount: (id: string) => Promise<Account | undefined>;
}
