import type { Caller } from '@gatehouse/proto/kit/calls';

/** What the trail tells of (README, "The trail"). */
export const SECURITY_EVENT_KINDS = [
  'account.registered',
  'account.deleted',
  'login',
  'login.failed',
  'login.mfa_failed',
  'login.mfa_held',
  'login.held',
  'login.authorized',
  'logout',
  'sessions.ended',
  'sudo.granted',
  'sudo.failed',
  'email.verified',
  'email.changed',
  'password.changed',
  'password.reset_requested',
  'password.reset',
  'mfa.totp_enabled',
  'mfa.totp_disabled',
  'mfa.backup_codes_made',
  'mfa.backup_code_used',
  'mfa.passkey_added',
  'mfa.passkey_removed',
  'bot_token.reset',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** One thing that happened. Nothing in it is secret, and no address is of an unknown login's. */
export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** Null: nobody's. */
  readonly account_id: string | null;
  readonly caller: Caller;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}
