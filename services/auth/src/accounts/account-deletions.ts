import type { Logger } from '@gatehouse/kit/log';
import type { Client } from '@gatehouse/kit/rpc';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { Pool } from 'pg';
import { claimDeletedAccounts, forgetDeletedAccount } from '../store/deleted-accounts.ts';
import type { Records } from '../store/records.ts';

/** Has oauth2 delete its part of deleted accounts. */
export interface AccountDeletions {
  /** Tries one account now. If that fails, a replica tries again later. Never throws. */
  end(id: string): Promise<void>;
  close(): Promise<void>;
}

/** The lease of one attempt. */
export const RETRY_MS = 3_000;
const LOOK_EVERY_MS = 1_000;
const TIMEOUT_MS = 2_000;
const AT_ONCE = 8;

export interface DeletionOptions {
  readonly db: Pool;
  readonly records: Records;
  readonly oauth2: Client<typeof Oauth2ServiceDefinition>;
  readonly log: Logger;
}

/** A row of `deleted_accounts` stays until oauth2 has answered, through restarts and outages. */
export function openAccountDeletions({ db, records, oauth2, log }: DeletionOptions): AccountDeletions {
  let looking: Promise<void> | undefined;

  async function end(id: string): Promise<void> {
    try {
      await oauth2.endAccount({ account_id: id }, { timeoutMs: TIMEOUT_MS });
      await forgetDeletedAccount(records, id);
    } catch (error) {
      log.warn(
        { err: error, account_id: id },
        'oauth2 did not delete its part of an account; it will be retried',
      );
    }
  }

  async function look(): Promise<void> {
    try {
      const ids = await claimDeletedAccounts(db, AT_ONCE, RETRY_MS);
      await Promise.all(ids.map(end));
    } catch (error) {
      log.warn({ err: error }, 'reading deleted accounts failed');
    }
  }

  const timer = setInterval(() => {
    looking ??= look().finally(() => {
      looking = undefined;
    });
  }, LOOK_EVERY_MS).unref();

  return {
    end,
    close: async () => {
      clearInterval(timer);
      await looking;
    },
  };
}
