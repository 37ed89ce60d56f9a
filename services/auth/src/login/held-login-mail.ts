import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { mailLink } from '../mail/mail-token.ts';
import { queueMail } from '../mail/queue-mail.ts';
import { clientText } from '../sessions/client-info.ts';
import type { Account } from '../store/accounts/account.ts';

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
  { username, ...recipient }: Pick<Account, 'username' | 'email' | 'verified'>,
  { token, client }: { readonly token: string; readonly client: HeldClient },
): Promise<void> {
  const url = mailLink(deps.config, 'authorize-ip', token);
  const values = { username, url, token, ip: client.ip, client: await clientText(client.user_agent) };
  await queueMail(tx, deps, recipient, {
    template: 'authorize-login',
    values,
    expires_in_ms: HOLD_MAIL_EXPIRES_IN_MS,
  });
}
