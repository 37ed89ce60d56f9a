import { type Membership, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { Form } from '@gatehouse/kit/form';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { channelUpdated } from '../events/event.ts';
import { accessGuildChannel, requirePermission } from '../guilds/access.ts';
import {
  checkTargets,
  enforceOverwriteLimits,
  overwriteEntries,
  requireOverwritePermissions,
  storeOverwrites,
} from '../overwrites/change-overwrites.ts';
import { overwriteChanges } from '../overwrites/overwrite-changes.ts';
import { insertAuditEntries } from '../store/audit-log/audit-log.ts';
import { findChannel, updateChannelFields } from '../store/channels/channels.ts';
import { insertEvents } from '../store/events/events.ts';
import { channelEntries } from './channel-audit.ts';
import type { ChannelSettings } from './channel-form.ts';
import { checkParent } from './check-parent.ts';

/**
 * Changes a channel whose guild the transaction has locked. Writes nothing if nothing differs.
 *
 * @throws NOT_FOUND, MISSING_ACCESS, MISSING_PERMISSIONS, INVALID_FORM_BODY; BAD_REQUEST if its overwrites exceed a
 * limit
 */
export async function changeGuildChannel(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  actor: Membership,
  channelId: string,
  settings: Partial<ChannelSettings>,
  reason: string | null,
): Promise<ChannelRow> {
  const { guild_id, account_id } = actor;
  const { channel: before, permissions } = await accessGuildChannel(tx, actor, channelId);
  const { permission_overwrites = before.permission_overwrites, ...fields } = settings;
  const overwrites = overwriteChanges(before.permission_overwrites, permission_overwrites);
  requirePermission(permissions, Permission.MANAGE_CHANNELS);
  requireOverwritePermissions(permissions, overwrites);
  const form = new Form();
  await checkParent(tx, form, { guild_id, type: before.type, parent_id: fields.parent_id ?? null });
  await checkTargets(tx, form, guild_id, permission_overwrites, overwrites);
  form.check();
  await enforceOverwriteLimits(tx, guild_id, before.permission_overwrites.length, overwrites);

  const wanted = { ...before, ...fields };
  const changed = channelEntries(before, wanted, account_id, reason);
  if (changed.length === 0 && overwrites.length === 0) return before;
  await updateChannelFields(tx, channelId, wanted);
  await storeOverwrites(tx, channelId, overwrites);
  const after = (await findChannel(tx, channelId)) ?? wanted;
  await insertEvents(tx, [channelUpdated(after)]);
  const entries = [...changed, ...overwriteEntries(before, account_id, reason, overwrites)];
  await insertAuditEntries(tx, ids, entries);
  return after;
}
