import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { queueMail, type Recipient } from './queue-mail.ts';
import { whoAsked } from './who-asked.ts';

/** A change of an account, with the template values of its notice. */
export type Notice =
  | { readonly template: 'factor-added' | 'factor-removed'; readonly factor: string }
  | { readonly template: 'email-changed'; readonly email: string }
  | { readonly template: 'password-changed' | 'new-login' | 'mfa-held' | 'export-ready' };

const NOTICE_EXPIRES_IN_MS = 7 * 24 * 3_600_000;

/**
 * Queues a notice to the owner of an account, in the transaction of the reported change. Call `deps.mail.wake()` after
 * the commit.
 */
export async function mailNotice(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'clock' | 'config'>,
  { username, ...recipient }: Recipient & { readonly username: string },
  { template, ...own }: Notice,
  caller: Caller,
): Promise<void> {
  const values = {
    username,
    url: `${deps.config.web_app_url}/account`,
    ...(await whoAsked(caller, deps.clock())),
    ...own,
  };
  await queueMail(tx, deps, recipient, { template, values, expires_in_ms: NOTICE_EXPIRES_IN_MS }, caller);
}

/** A change of an account by an operator. */
export interface OperatorNotice {
  readonly template: 'factors-reset';
}

/** Like `mailNotice`, without the client of the change. */
export async function mailOperatorNotice(
  tx: PoolClient,
  deps: Pick<Deps, 'ids' | 'encryption' | 'config'>,
  { username, ...recipient }: Recipient & { readonly username: string },
  { template }: OperatorNotice,
  caller: Caller,
): Promise<void> {
  const values = { username, url: `${deps.config.web_app_url}/account` };
  await queueMail(tx, deps, recipient, { template, values, expires_in_ms: NOTICE_EXPIRES_IN_MS }, caller);
}
