import type { Logger } from '@gatehouse/kit/log';
import { type Outbox, openOutbox } from '@gatehouse/kit/outbox';
import type { Client } from '@gatehouse/kit/rpc';
import type { Oauth2ServiceDefinition } from '@gatehouse/proto/oauth2';
import type { Deps } from '../deps.ts';
import { claimDeletedAccounts, deleteDeletedAccountRow } from '../store/accounts/deleted-accounts.ts';

const END_ACCOUNT_TIMEOUT_MS = 2_000;

/**
 * Deletes the data of deleted accounts at oauth2. A row of `deleted_accounts` stays until oauth2 has answered, through
 * restarts and outages.
 */
export function openAccountDeletions(
  { db, prisma }: Pick<Deps, 'db' | 'prisma'>,
  oauth2: Client<typeof Oauth2ServiceDefinition>,
  log: Logger,
): Outbox<string> {
  return openOutbox({
    rows: {
      claim: (limit, retry_ms) => claimDeletedAccounts(db, limit, retry_ms),
      complete: (id) => deleteDeletedAccountRow(prisma, id),
    },
    deliver: (account_id) => oauth2.endAccount({ account_id }, { timeoutMs: END_ACCOUNT_TIMEOUT_MS }),
    what: 'deletions of accounts',
    log,
  });
}
