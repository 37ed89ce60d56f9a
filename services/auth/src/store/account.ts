/** An account, without what proves who owns it. */
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
}

/** The columns of Account, for statements. */
export const ACCOUNT_COLUMNS =
  'id, username, email, verified, password_changed_at, bot, flags, global_name, avatar, banner, bio, pronouns, accent_color';
