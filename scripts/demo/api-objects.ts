/** The API's objects, with the members that the demo uses. */

export interface Guild {
  id: string;
  name: string;
}

export interface Channel {
  id: string;
  name: string;
}

export interface Webhook {
  id: string;
  token: string;
}

export interface Embed {
  title?: string;
  description?: string;
  url?: string;
  color?: number;
  author?: { name: string; url?: string };
  footer?: { text: string };
  fields?: { name: string; value: string; inline?: boolean }[];
}

export interface Message {
  id: string;
  author: { id: string; username: string; global_name: string | null; bot: boolean };
  content: string;
  timestamp: string;
  embeds: Embed[];
}

export interface AuditLog {
  audit_log_entries: {
    action_type: number;
    user_id: string;
    target_id?: string | null;
    reason?: string;
    changes?: { key: string; new_value?: unknown }[];
  }[];
  users: { id: string; username: string; global_name: string | null }[];
}
