import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { clientText } from '../sessions/client-info.ts';
import { maskIp } from '../sessions/network.ts';
import type { Account } from '../store/accounts/account.ts';
import { queueMail } from './queue-mail.ts';

/** A change of an account, with the template values of its notice. */
export type Notice =
  | { readonly template: 'factor-added' | 'factor-removed'; readonly factor: string }
  | { readonly template: 'email-changed'; readonly email: string }
  | { readonly template: 'password-changed' | 'new-login' | 'mfa-held' };

const NOTICE_EXPIRES_IN_MS = 7 * 24 * 3_600_000;

/**
 * Queues a notice to the owner of an account, in the transaction of the reported change. Call `deps.mail.wake()` after
 * the commit.
 */
export async function mailNotice(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'clock'>,
  { username, ...recipient }: Pick<Account, 'username' | 'email' | 'verified'>,
  { template, ...own }: Notice,
  caller: Caller,
): Promise<void> {
  const values = {
    username,
    when: minuteOf(deps.clock()),
    ip: maskIp(caller.ip) ?? 'unknown',
    client: await clientText(caller.user_agent),
    ...own,
  };
  await queueMail(tx, deps, recipient, { template, values, expires_in_ms: NOTICE_EXPIRES_IN_MS });
}

/** 2025-01-31 23:59 UTC */
function minuteOf(time_ms: number): string {
  return `${new Date(time_ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
