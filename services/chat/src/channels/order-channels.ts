import { holds, type Membership, Permission } from '@gatehouse/chat-client/permissions';
import type { Position } from '@gatehouse/proto/chat';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { missingAccess, notFound } from '../errors.ts';
import { channelUpdated } from '../events/event.ts';
import { permissionsIn, requireGuildPermission, requirePermission } from '../guilds/access.ts';
import { insertAuditEntries } from '../store/audit-log/audit-log.ts';
import { findChannels, setChannelPositions } from '../store/channels/channels.ts';
import { insertEvents } from '../store/events/events.ts';
import { channelEntries } from './channel-audit.ts';

/**
 * Moves channels of a guild that the transaction has locked: all or none. Moving a channel requires the permission to
 * change it.
 *
 * @throws MISSING_PERMISSIONS; MISSING_ACCESS for a channel that the actor cannot view; NOT_FOUND for a channel that is
 * not in the guild
 */
export async function orderChannels(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  actor: Membership,
  positions: readonly Position[],
  reason: string | null,
): Promise<void> {
  requireGuildPermission(actor, Permission.MANAGE_CHANNELS);
  const channels = await findChannels(tx, actor.guild_id);
  const known = new Set(channels.map(({ id }) => id));
  if (!positions.every(({ id }) => known.has(id))) throw notFound('channel');
  const newPositions = new Map(positions.map(({ id, position }) => [id, position]));

  const moved = channels.flatMap((before) => {
    const position = newPositions.get(before.id) ?? before.position;
    return position === before.position ? [] : [{ before, after: { ...before, position } }];
  });
  for (const { before } of moved) {
    const permissions = permissionsIn(before, actor, actor.account_id);
    if (!holds(permissions, Permission.VIEW_CHANNEL)) throw missingAccess();
    requirePermission(permissions, Permission.MANAGE_CHANNELS);
  }
  if (moved.length === 0) return;
  await setChannelPositions(
    tx,
    moved.map(({ after }) => after),
  );
  await insertEvents(
    tx,
    moved.map(({ after }) => channelUpdated(after)),
  );
  const entries = moved.flatMap(({ before, after }) =>
    channelEntries(before, after, actor.account_id, reason),
  );
  await insertAuditEntries(tx, ids, entries);
}
