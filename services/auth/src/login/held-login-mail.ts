import type { Caller } from '@gatehouse/proto/kit/calls';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { mailLink } from '../mail/mail-token.ts';
import { queueMail, type Recipient } from '../mail/queue-mail.ts';
import { whoAsked } from '../mail/who-asked.ts';

/** The client of a held login, as sent by the edge. */
export interface HeldClient {
  readonly ip: string;
  readonly user_agent: string;
}

/** The time for which a login is held. */
const HOLD_MAIL_EXPIRES_IN_MS = 15 * 60_000;

/** Queues the mail with the token that releases a held login. Call `deps.mail.wake()` after the commit. */
export async function mailAuthorization(
  tx: PoolClient,
  deps: Deps,
  { username, ...recipient }: Recipient & { readonly username: string },
  {
    token,
    client,
    time_ms,
  }: { readonly token: string; readonly client: HeldClient; readonly time_ms: number },
  caller: Pick<Caller, 'accept_language'>,
): Promise<void> {
  const url = mailLink(deps.config, 'authorize-ip', token);
  const values = { username, url, token, ...(await whoAsked(client, time_ms)) };
  const email = { template: 'authorize-login', values, expires_in_ms: HOLD_MAIL_EXPIRES_IN_MS } as const;
  await queueMail(tx, deps, recipient, email, caller);
}
