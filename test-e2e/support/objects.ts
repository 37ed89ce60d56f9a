/** Response objects of the API, as described in docs/. */

export interface User {
  id: string;
  username: string;
  discriminator: string;
  global_name: string | null;
  avatar: string | null;
  bot: boolean;
}

export interface CurrentUser extends User {
  email: string | null;
  verified: boolean;
  bio: string | null;
  mfa_enabled: boolean;
  authenticator_types: string[];
  password_last_changed_at: string | null;
}

export interface SessionAnswer {
  token: string;
  user_id: string;
  user: CurrentUser;
}

export interface TicketAnswer {
  mfa: boolean;
  ticket: string;
  allowed_methods: string[];
}

export interface Session {
  id_hash: string;
  client_info: { os: string | null; browser: string | null };
  masked_ip: string | null;
  approx_last_used_at: string;
  current: boolean;
}

export interface BackupCode {
  code: string;
  consumed: boolean;
}

export interface Guild {
  id: string;
  name: string;
  icon: string | null;
  owner_id: string;
  features: string[];
  roles: Role[];
  member_count: number;
}

/** An entry in the list of the caller's guilds. */
export interface ListedGuild {
  id: string;
  name: string;
  permissions: string;
}

export interface Role {
  id: string;
  name: string;
  color: number;
  position: number;
  hoist: boolean;
  mentionable: boolean;
  permissions: string;
}

export interface Member {
  user: User;
  nick: string | null;
  avatar: string | null;
  banner: string | null;
  bio: string | null;
  pronouns: string | null;
  accent_color: number | null;
  roles: string[];
  joined_at: string;
}

export interface Overwrite {
  id: string;
  type: number;
  allow: string;
  deny: string;
}

export interface Channel {
  id: string;
  guild_id: string;
  type: number;
  name: string;
  topic: string | null;
  position: number;
  parent_id: string | null;
  rate_limit_per_user: number;
  permission_overwrites: Overwrite[];
  last_message_id: string | null;
}

/** A DM or a group DM. */
export interface PrivateChannel {
  id: string;
  type: number;
  recipients: User[];
  last_message_id: string | null;
}

export interface Invite {
  code: string;
}

export interface AuditEntry {
  id: string;
  action_type: number;
  user_id: string;
  target_id: string;
  reason?: string;
  changes?: { key: string; old_value?: unknown; new_value?: unknown }[];
}

export interface AuditLog {
  audit_log_entries: AuditEntry[];
  users: User[];
  webhooks: { id: string }[];
}

export interface Webhook {
  id: string;
  guild_id: string;
  channel_id: string;
  name: string;
  avatar: string | null;
  token: string;
  user?: User | null;
}

export interface WebhookDelivery {
  id: string;
  dialect: string;
  event?: string;
  outcome: string;
  reason?: string;
  message_id?: string;
  status: number;
  count: number;
  origin: string;
  retry_of?: string;
  can_be_sent_again: boolean;
}

export interface EmbedAuthor {
  name: string;
  url?: string;
  icon_url?: string;
}

export interface Embed {
  type: string;
  title?: string;
  description?: string;
  url?: string;
  color?: number;
  timestamp?: string;
  author?: EmbedAuthor;
  footer?: { text: string };
  fields?: { name: string; value: string; inline?: boolean }[];
  image?: { url: string };
  thumbnail?: { url: string };
}

export interface Message {
  id: string;
  channel_id: string;
  author: User;
  webhook_id?: string;
  type: number;
  flags: number;
  content: string;
  timestamp: string;
  edited_timestamp: string | null;
  mention_everyone: boolean;
  tts: boolean;
  mentions: User[];
  mention_roles: string[];
  embeds: Embed[];
  attachments: unknown[];
  nonce?: string;
}

export interface Application {
  id: string;
  name: string;
  client_secret: string;
  bot: User & { token: string };
}

export interface ErrorBody {
  error: string;
  code: string;
  message: string;
  errors?: { path: string; code: string; message: string }[];
  global?: boolean;
  retry_after?: number;
}
