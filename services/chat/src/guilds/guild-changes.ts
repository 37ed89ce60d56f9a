import type { Guild } from '@gatehouse/proto/chat';
import type { Upload } from '@gatehouse/proto/media';
import { changesBetween } from '../audit-log/changes-between.ts';
import type { AuditChange } from '../store/audit-log/audit-log.ts';

/** Wanted changes of a guild; undefined leaves a setting unchanged. */
interface GuildPatch {
  readonly name: string | undefined;
  /** Null removes the icon. */
  readonly icon: Upload | null | undefined;
  readonly owner_id: string | undefined;
}

export function changedGuild(before: Guild, { name, icon, owner_id }: GuildPatch): Guild {
  return {
    ...before,
    ...(name !== undefined && { name }),
    ...(icon !== undefined && { icon: icon?.hash ?? null }),
    ...(owner_id !== undefined && { owner_id }),
  };
}

/** The changes under their names in the audit log. */
export function guildChanges(before: Guild, after: Guild): AuditChange[] {
  return changesBetween(audited(before), audited(after), ['name', 'icon_hash', 'owner_id']);
}

function audited({ name, icon, owner_id }: Guild) {
  return { name, icon_hash: icon, owner_id };
}
