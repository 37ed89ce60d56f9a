/** An account without its secrets. */
export interface Account {
  readonly id: string;
  readonly username: string;
  readonly email: string | null;
  readonly verified: boolean;
  readonly password_changed_at: Date | null;
  readonly bot: boolean;
  readonly flags: number;
  readonly global_name: string | null;
  readonly avatar: string | null;
  readonly banner: string | null;
  readonly bio: string | null;
  readonly pronouns: string | null;
  readonly accent_color: number | null;
  /** The language for pages and mails, a BCP 47 tag in canonical form. */
  readonly locale: string | null;
  /** Whether an operator has suspended it. */
  readonly suspended: boolean;
  /** The second factors: whether it has TOTP, and whether it has passkeys. */
  readonly totp: boolean;
  readonly webauthn: boolean;
}

/** Whether the account has a second factor. */
export function hasMfa({ totp, webauthn }: Pick<Account, 'totp' | 'webauthn'>): boolean {
  return totp || webauthn;
}

/**
 * Whether an account had the same password at two moments. Every new password has a time of its own; a renewed hash
 * keeps it.
 */
export function hasSamePassword(
  one: Pick<Account, 'password_changed_at'>,
  other: Pick<Account, 'password_changed_at'>,
): boolean {
  return one.password_changed_at?.getTime() === other.password_changed_at?.getTime();
}

/** SQL: the time of a new password, later than the previous one. */
export const PASSWORD_CHANGED_NOW = "greatest(now(), password_changed_at + interval '1 millisecond')";

/** The columns of Account, for statements that read `accounts` under this name. */
export const ACCOUNT_COLUMNS = `id, username, email, verified, password_changed_at, bot, flags, global_name, avatar,
  banner, bio, pronouns, accent_color, locale, suspended_at IS NOT NULL AS suspended,
  EXISTS (SELECT FROM totp_factors WHERE account_id = accounts.id) AS totp,
  EXISTS (SELECT FROM webauthn_credentials WHERE account_id = accounts.id) AS webauthn`;
