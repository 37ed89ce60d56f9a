import type { AuditLog } from './api-objects.ts';

/** An audit log in words, one line per entry, oldest first. */
export function auditLines({ audit_log_entries, users }: AuditLog): string[] {
  const names = new Map(users.map(({ id, username, global_name }) => [id, global_name ?? username]));
  return audit_log_entries.toReversed().map(({ action_type, user_id, target_id, changes = [], reason }) => {
    const { new_value } = changes.find(({ key }) => key === 'name') ?? {};
    if (typeof target_id === 'string' && typeof new_value === 'string') names.set(target_id, new_value);
    const who = names.get(user_id) ?? user_id;
    const what = ACTIONS[action_type] ?? `did ${action_type}`;
    const target = names.get(target_id ?? '');
    return `${who} ${what}${target === undefined ? '' : ` ${target}`}${reason === undefined ? '' : ` (${reason})`}`;
  });
}

/** docs/guilds.md#audit-log */
const ACTIONS: Readonly<Record<number, string>> = {
  10: 'created the channel',
  11: 'changed the channel',
  13: 'set an overwrite in',
  20: 'removed',
  25: 'changed the roles of',
  28: 'added the bot',
  30: 'created the role',
  31: 'changed the role',
  40: 'made an invite',
  50: 'created the webhook',
};
