import type { Runtime } from '@gatehouse/kit/process/runtime';
import type { Pool } from 'pg';
import type { Account } from './accounts/account.ts';
import { findAccounts } from './accounts/accounts.ts';
import { type Credential, type Identity, identityFinder } from './accounts/identities.ts';
import type { SessionLifetime } from './sessions/session-lifetime.ts';

/** The statements of most requests. Concurrent calls of a method share one statement. */
export class BatchedStatements {
  readonly #findIdentity: (credential: Credential) => Promise<Identity | undefined>;
  readonly #findAccount: (id: string) => Promise<Account | undefined>;

  constructor(db: Pool, runtime: Pick<Runtime, 'batcher'>, lifetime: SessionLifetime) {
    this.#findIdentity = runtime.batcher('identify', { run: identityFinder(db, lifetime) });
    this.#findAccount = runtime.batcher('find_account', { run: (ids) => findAccounts(db, ids) });
  }

  /** The account of a live credential. */
  findIdentity(credential: Credential): Promise<Identity | undefined> {
    return this.#findIdentity(credential);
  }

  findAccount(id: string): Promise<Account | undefined> {
    return this.#findAccount(id);
  }
}
