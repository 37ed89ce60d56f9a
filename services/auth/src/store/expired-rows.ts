import type { ExpiredRows } from '@gatehouse/kit/db/retention-job';
import { deadSessions, type SessionLifetime } from './session-lifetime.ts';

/** What the retention job removes. Nothing asks for any of it any more: whoever reads a row looks at its time. */
export function expired(config: SessionLifetime & { readonly security_events_days: number }): ExpiredRows[] {
  return [
    { table: 'mfa_tickets', where: EXPIRED },
    { table: 'mfa_failures', where: EXPIRED },
    { table: 'totp_used_steps', where: EXPIRED },
    { table: 'sudo_grants', where: EXPIRED },
    { table: 'webauthn_challenges', where: EXPIRED },
    { table: 'held_logins', where: EXPIRED },
    { table: 'mail_tokens', where: EXPIRED },
    // The outbox gives them up by itself, and says so; these are what it left.
    { table: 'mails', where: `expires_at < now() - interval '1 hour'` },
    { table: 'security_events', where: `at < now() - interval '${config.security_events_days} days'` },
    // When a session was last used is in no index: it is written all the time.
    ...deadSessions(config).map((where) => ({ table: 'sessions', where, paged_by: 'id' })),
  ];
}

const EXPIRED = 'expires_at <= now()';
