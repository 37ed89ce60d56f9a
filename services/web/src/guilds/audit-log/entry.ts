import type { User } from '@gatehouse/proto/auth';
import type { AuditLogWebhook, Role } from '@gatehouse/proto/chat';

/** A changed member of an entry's target. */
export interface AuditChange {
  readonly key: string;
  readonly old_value?: unknown;
  readonly new_value?: unknown;
}

/** An entry of GET /guilds/{id}/audit-logs. */
export interface AuditEntry {
  readonly id: string;
  readonly action_type: number;
  readonly user_id: string;
  readonly target_id: string | null;
  readonly reason?: string | null;
  readonly options?: { readonly id: string; readonly type: number } | null;
  readonly changes?: readonly AuditChange[] | null;
}

/** A response of GET /guilds/{id}/audit-logs. */
export interface AuditLogPage {
  readonly audit_log_entries: readonly AuditEntry[];
  readonly users: readonly User[];
  readonly webhooks: readonly AuditLogWebhook[];
}

/** The names of what entries are about, by ID. */
export interface Names {
  readonly users: ReadonlyMap<string, string>;
  readonly webhooks: ReadonlyMap<string, string>;
  /** Those that the reader can view. */
  readonly channels: ReadonlyMap<string, string>;
  readonly roles: ReadonlyMap<string, string>;
}

export function namesOf(
  { users, webhooks }: Pick<AuditLogPage, 'users' | 'webhooks'>,
  channels: readonly { readonly id: string; readonly name?: string | null | undefined }[],
  roles: readonly Pick<Role, 'id' | 'name'>[],
): Names {
  return {
    users: new Map(users.map((user) => [user.id, user.global_name ?? user.username])),
    webhooks: new Map(webhooks.map(({ id, name }) => [id, name])),
    channels: new Map(channels.map(({ id, name }) => [id, name ?? ''])),
    roles: new Map(roles.map(({ id, name }) => [id, name])),
  };
}

const EPOCH_MS = 1_420_070_400_000;

/** The time of an entry, which is in its ID. */
export function timeOf({ id }: Pick<AuditEntry, 'id'>): Date {
  return new Date(Number(BigInt(id) >> 22n) + EPOCH_MS);
}
