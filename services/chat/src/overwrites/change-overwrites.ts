import { type Overwrite, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { Form } from '@gatehouse/kit/form';
import type { PoolClient } from 'pg';
import { badRequest } from '../errors.ts';
import { requirePermission } from '../guilds/access.ts';
import type { AuditEntry } from '../store/audit-log/audit-log.ts';
import {
  countGuildOverwrites,
  deleteOverwrites,
  findKnownTargets,
  upsertOverwrites,
} from '../store/channels/overwrites.ts';
import { type OverwriteChange, overwriteEntry, requiredBits } from './overwrite-changes.ts';
import { MAX_GUILD_OVERWRITES, MAX_OVERWRITES } from './overwrite-form.ts';

/**
 * Changing overwrites requires MANAGE_ROLES in the channel, and all bits that the changes set or lift.
 *
 * @throws MISSING_PERMISSIONS
 */
export function requireOverwritePermissions(permissions: bigint, changes: readonly OverwriteChange[]): void {
  if (changes.length > 0) requirePermission(permissions, Permission.MANAGE_ROLES | requiredBits(changes));
}

/** New and changed overwrites must be for roles or members of the guild. Unchanged ones are not checked. */
export async function checkTargets(
  tx: PoolClient,
  form: Form,
  guildId: string,
  list: readonly Overwrite[],
  changes: readonly OverwriteChange[],
): Promise<void> {
  const written = new Set(changes.flatMap(({ after }) => after ?? []));
  if (written.size === 0) return;
  const known = await findKnownTargets(tx, guildId, [...written]);
  for (const [n, overwrite] of list.entries()) {
    if (!written.has(overwrite) || known[overwrite.type]?.has(overwrite.id)) continue;
    const message = 'Must be a role or a member of the guild.';
    form.fail(`permission_overwrites.${n}.id`, 'INVALID_FORMAT', message);
  }
}

/**
 * Checks the limits of a channel with `count` overwrites and of its guild, which the transaction has locked. Changes that
 * add none always pass.
 *
 * @throws BAD_REQUEST
 */
export async function enforceOverwriteLimits(
  tx: PoolClient,
  guildId: string,
  count: number,
  changes: readonly OverwriteChange[],
): Promise<void> {
  const added = changes.reduce((sum, { before, after }) => sum + Number(!before) - Number(!after), 0);
  if (added <= 0) return;
  if (count + added > MAX_OVERWRITES)
    throw badRequest(`A channel has at most ${MAX_OVERWRITES} permission overwrites.`);
  if ((await countGuildOverwrites(tx, guildId)) + added > MAX_GUILD_OVERWRITES)
    throw badRequest(
      `The channels of a guild have at most ${MAX_GUILD_OVERWRITES} permission overwrites in all.`,
    );
}

/** Stores the changes. The caller writes the audit log entries. */
export async function storeOverwrites(
  tx: PoolClient,
  channelId: string,
  changes: readonly OverwriteChange[],
): Promise<void> {
  await upsertOverwrites(
    tx,
    channelId,
    changes.flatMap(({ after }) => after ?? []),
  );
  const gone = changes.filter(({ after }) => after === undefined).flatMap(({ before }) => before?.id ?? []);
  await deleteOverwrites(tx, channelId, gone);
}

/** The audit log entries of the changes. */
export function overwriteEntries(
  { id, guild_id }: ChannelRow,
  user_id: string,
  reason: string | null,
  changes: readonly OverwriteChange[],
): AuditEntry[] {
  return changes.map((change) => ({
    guild_id: guild_id ?? '',
    user_id,
    target_id: id,
    reason,
    ...overwriteEntry(change),
  }));
}
