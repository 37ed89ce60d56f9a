import { type Membership, type Overwrite, Permission } from '@gatehouse/chat-client/permissions';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { unknownMember, unknownRole } from '../errors.ts';
import { channelUpdated } from '../events/event.ts';
import { accessGuildChannel, requirePermission } from '../guilds/access.ts';
import { insertAuditEntries } from '../store/audit-log/audit-log.ts';
import { findChannel } from '../store/channels/channels.ts';
import { findKnownTargets } from '../store/channels/overwrites.ts';
import { insertEvents } from '../store/events/events.ts';
import {
  enforceOverwriteLimits,
  overwriteEntries,
  requireOverwritePermissions,
  storeOverwrites,
} from './change-overwrites.ts';
import { overwriteChanges } from './overwrite-changes.ts';
import { OverwriteType } from './overwrite-form.ts';

/**
 * Sets or deletes an overwrite of a channel whose guild the transaction has locked. Writes nothing if nothing differs.
 *
 * @throws NOT_FOUND, MISSING_ACCESS, MISSING_PERMISSIONS, UNKNOWN_ROLE, UNKNOWN_MEMBER; BAD_REQUEST if the channel or
 * the guild is full
 */
export async function setOverwrite(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  actor: Membership,
  { channel_id, id, set }: { channel_id: string; id: string; set?: Overwrite },
  reason: string | null,
): Promise<void> {
  const { guild_id, account_id } = actor;
  const { channel, permissions } = await accessGuildChannel(tx, actor, channel_id);
  const others = channel.permission_overwrites.filter((overwrite) => overwrite.id !== id);
  const changes = overwriteChanges(
    channel.permission_overwrites,
    set === undefined ? others : [...others, set],
  );
  requirePermission(permissions, Permission.MANAGE_ROLES);
  requireOverwritePermissions(permissions, changes);
  if (set !== undefined) {
    await requireTarget(tx, guild_id, set);
    await enforceOverwriteLimits(tx, guild_id, channel.permission_overwrites.length, changes);
  }
  if (changes.length === 0) return;

  await storeOverwrites(tx, channel.id, changes);
  const after = await findChannel(tx, channel.id);
  if (after === undefined) throw new Error('a channel is missing although its guild is locked');
  await insertEvents(tx, [channelUpdated(after)]);
  const entries = overwriteEntries(channel, account_id, reason, changes);
  await insertAuditEntries(tx, ids, entries);
}

async function requireTarget(tx: PoolClient, guildId: string, set: Overwrite): Promise<void> {
  const known = await findKnownTargets(tx, guildId, [set]);
  if (!known[set.type]?.has(set.id)) throw set.type === OverwriteType.ROLE ? unknownRole() : unknownMember();
}
