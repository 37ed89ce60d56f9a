import { guildPermissions, type Membership, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { Form } from '@gatehouse/kit/form';
import type { PoolClient } from 'pg';
import type { Deps } from '../deps.ts';
import { badRequest } from '../errors.ts';
import { channelCreated } from '../events/event.ts';
import { requireGuildPermission } from '../guilds/access.ts';
import { MAX_POSITION } from '../guilds/position-form.ts';
import {
  checkTargets,
  enforceOverwriteLimits,
  requireOverwritePermissions,
  storeOverwrites,
} from '../overwrites/change-overwrites.ts';
import { overwriteChanges } from '../overwrites/overwrite-changes.ts';
import { insertAuditEntries } from '../store/audit-log/audit-log.ts';
import { countChannels, findChannel, insertChannel } from '../store/channels/channels.ts';
import { insertEvents } from '../store/events/events.ts';
import { channelEntries } from './channel-audit.ts';
import type { NewChannel } from './channel-form.ts';
import { checkParent } from './check-parent.ts';

/** Maximum channels of a guild (docs/guilds.md#limits). */
export const MAX_CHANNELS = 500;

/**
 * Creates a channel in a guild that the transaction has locked.
 *
 * @throws MISSING_PERMISSIONS; INVALID_FORM_BODY; BAD_REQUEST if the guild is full
 */
export async function createGuildChannel(
  tx: PoolClient,
  { ids }: Pick<Deps, 'ids'>,
  actor: Membership,
  channel: NewChannel,
  reason: string | null,
): Promise<ChannelRow> {
  const { guild_id, account_id } = actor;
  const overwrites = overwriteChanges([], channel.permission_overwrites);
  requireGuildPermission(actor, Permission.MANAGE_CHANNELS);
  requireOverwritePermissions(guildPermissions(actor), overwrites);
  const form = new Form();
  await checkParent(tx, form, { guild_id, ...channel });
  await checkTargets(tx, form, guild_id, channel.permission_overwrites, overwrites);
  form.check();
  await enforceOverwriteLimits(tx, guild_id, 0, overwrites);
  const { count, last_position } = await countChannels(tx, guild_id);
  if (count >= MAX_CHANNELS) throw badRequest(`A guild has at most ${MAX_CHANNELS} channels.`);

  const id = ids();
  const position = channel.position ?? Math.min(last_position + 1, MAX_POSITION);
  await insertChannel(tx, guild_id, { ...channel, id, position });
  await storeOverwrites(tx, id, overwrites);
  const created = await findChannel(tx, id);
  if (created === undefined) throw new Error('a channel that was just stored is missing');
  await insertEvents(tx, [channelCreated(created)]);
  const entries = channelEntries(undefined, created, account_id, reason);
  await insertAuditEntries(tx, ids, entries);
  return created;
}
