import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { maskIp } from '../login/network.ts';
import { clientText } from '../sessions/client-info.ts';
import type { Account } from '../store/account.ts';
import { queueMail } from './queue.ts';

/** What an account's owner is told, and what the mail of it writes besides when and from where it was done. */
export type Notice =
  | { readonly template: 'factor-added' | 'factor-removed'; readonly factor: string }
  | { readonly template: 'email-changed'; readonly email: string }
  | { readonly template: 'password-changed' | 'new-login' | 'mfa-held' };

/** How long it makes sense to tell. */
const TELL_WITHIN_MS = 7 * 24 * 3_600_000;

/**
 * Tells an account's owner by mail what was done, in the transaction that does it; `deps.mail.kick()` after the
 * commit sends it.
 */
export async function mailNotice(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'clock'>,
  { username, email: to }: Pick<Account, 'username' | 'email'>,
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
  await queueMail(tx, deps, { to: to ?? '', template, values, expires_in_ms: TELL_WITHIN_MS });
}

/** 2025-01-31 23:59 UTC */
function minuteOf(time_ms: number): string {
  return `${new Date(time_ms).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
