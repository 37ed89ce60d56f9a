import type { SignIn } from '@gatehouse/proto/auth';
import type { SecurityEventKind } from '../store/events/security-event.ts';
import type { StoredSecurityEvent } from '../store/events/security-events.ts';
import { loadUserAgentParser } from './client-info.ts';
import { maskIp } from './network.ts';

/** The entries of the audit log that are sign-ins, and what each says. */
const OUTCOMES: ReadonlyMap<string, { readonly outcome: string; readonly method: string | null }> = new Map<
  SecurityEventKind,
  { readonly outcome: string; readonly method: string | null }
>([
  ['account.registered', { outcome: 'signed_in', method: 'registration' }],
  ['login', { outcome: 'signed_in', method: null }],
  ['login.failed', { outcome: 'refused', method: 'password' }],
  ['login.mfa_failed', { outcome: 'second_factor_refused', method: 'totp' }],
  ['login.mfa_held', { outcome: 'blocked', method: null }],
  ['login.held', { outcome: 'held', method: 'password' }],
  ['login.authorized', { outcome: 'released', method: 'mail' }],
]);

export const SIGN_IN_KINDS = [...OUTCOMES.keys()] as readonly SecurityEventKind[];

/** Sign-ins as shown to their account (docs/credentials.md#sign-ins), in the same order. */
export async function signInViews(
  events: readonly StoredSecurityEvent[],
  current_session_id: string,
): Promise<SignIn[]> {
  const clientInfo = await loadUserAgentParser();
  return events.map(({ id, at, kind, ip, user_agent, detail }) => {
    const { proof, session } = JSON.parse(detail) as { proof?: string; session?: string };
    const { outcome = 'refused', method = null } = OUTCOMES.get(kind) ?? {};
    return {
      id,
      timestamp: at.toISOString(),
      outcome,
      method: proof ?? method,
      masked_ip: maskIp(ip),
      client_info: clientInfo(user_agent),
      current: session === current_session_id,
    };
  });
}
