import type { Caller } from '@gatehouse/proto/kit/calls';

/** The kinds of events in the audit log. */
export const SECURITY_EVENT_KINDS = [
  'account.registered',
  'account.deleted',
  'account.suspended',
  'account.restored',
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
  'mfa.reset',
  'bot_token.reset',
  'data_export.requested',
] as const;
export type SecurityEventKind = (typeof SECURITY_EVENT_KINDS)[number];

/** An entry of the audit log. It has no secret, and no email address of an unknown account. */
export interface SecurityEvent {
  readonly kind: SecurityEventKind;
  /** Null if there is no account, such as for a login with an unknown address. */
  readonly account_id: string | null;
  readonly caller: Caller;
  readonly detail?: Readonly<Record<string, string | number | boolean>>;
}
