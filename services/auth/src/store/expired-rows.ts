import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';
import { expiryConditions, type SessionLifetime } from './sessions/session-lifetime.ts';

/** The rows that the retention job deletes. Queries check the time themselves and do not depend on it. */
export function expiredRows(
  config: SessionLifetime & { readonly security_events_days: number },
): ExpiredRows[] {
  return [
    { table: 'mfa_tickets', where: EXPIRED },
    { table: 'mfa_failures', where: EXPIRED },
    { table: 'totp_used_steps', where: EXPIRED },
    { table: 'sudo_grants', where: EXPIRED },
    { table: 'browser_sessions', where: EXPIRED },
    { table: 'webauthn_challenges', where: EXPIRED },
    { table: 'held_logins', where: EXPIRED },
    { table: 'mail_tokens', where: EXPIRED },
    { table: 'verification_mails', where: EXPIRED },
    // The mail queue deletes and logs expired mails. These are the rest.
    { table: 'mails', where: `expires_at < now() - interval '1 hour'` },
    // The chunks of an archive end with its row: up to 256 MiB.
    { table: 'data_exports', where: EXPIRED, batch: 1 },
    { table: 'security_events', where: `at < now() - interval '${config.security_events_days} days'` },
    // The last-used time has no index, because it changes all the time.
    ...expiryConditions(config).map((where) => ({ table: 'sessions', where, paged_by: 'id' })),
  ];
}

const EXPIRED = 'expires_at <= now()';
