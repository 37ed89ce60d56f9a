import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { Delivery } from './delivery.ts';
import type { Movement } from './members.ts';
import { byPosition } from './order.ts';
import { removeIfEmpty } from './role-sets.ts';
import { canRoleSetView, canViewByMemberOverwrite } from './views.ts';
import type { FollowedAccount, MutableGuild, ViewerGroup } from './world-state.ts';

/**
 * Returns the deliveries for members who gained or lost the view of channels by moving, in the channels' order.
 * Permissions are computed once per role set, and once per viewer group.
 *
 * @param before the former viewer groups of channels whose overwrites changed too
 */
export function viewChanges<S>(
  guild: MutableGuild<S>,
  movements: readonly Movement<S>[],
  before: ReadonlyMap<string, ViewerGroup<S>> = new Map(),
): readonly Delivery<S>[] {
  if (movements.length === 0) return [];
  const changes = new Map<ViewerGroup<S>, Change<S>>();
  const touched: [ChannelRow, Change<S>][] = [];
  for (const channel of guild.channels.values()) {
    const after = guild.viewer_group_by_channel.get(channel.id);
    const from = before.get(channel.id) ?? after;
    if (after === undefined || from === undefined) continue;
    const change = changes.get(from) ?? changeOf(guild, movements, from, after);
    changes.set(from, change);
    if (change.gained.length + change.lost.length > 0) touched.push([channel, change]);
  }
  for (const { before: left } of movements) removeIfEmpty(guild, left);
  return touched
    .sort(([one], [other]) => byPosition(one, other))
    .flatMap(([channel, { gained, lost }]) => [...shown(channel, gained), ...hidden(channel, lost)]);
}

export function shown<S>(channel: ChannelRow, accounts: readonly FollowedAccount<S>[]): Delivery<S>[] {
  return accounts.length === 0 ? [] : [{ accounts, kind: { type: 'channel_shown', channel } }];
}

export function hidden<S>(channel: ChannelRow, accounts: readonly FollowedAccount<S>[]): Delivery<S>[] {
  const { id: channel_id, guild_id } = channel;
  if (accounts.length === 0 || guild_id == null) return [];
  return [{ accounts, kind: { type: 'channel_hidden', channel_id, guild_id } }];
}

interface Change<S> {
  readonly gained: FollowedAccount<S>[];
  readonly lost: FollowedAccount<S>[];
}

/** Channels with the same former group share their new group too, so the pair of groups decides. */
function changeOf<S>(
  guild: MutableGuild<S>,
  movements: readonly Movement<S>[],
  from: ViewerGroup<S>,
  to: ViewerGroup<S>,
): Change<S> {
  const change: Change<S> = { gained: [], lost: [] };
  for (const { before, after, accounts } of movements) {
    const could = canRoleSetView(guild, from, before);
    const can = canRoleSetView(guild, to, after);
    if (could === can) continue;
    const list = can ? change.gained : change.lost;
    for (const account of accounts) if (!from.member_overwrite_ids.has(account.id)) list.push(account);
  }
  addChangesByMemberOverwrites(guild, movements, from, to, change);
  if (change.gained.length + change.lost.length > 0) to.viewers = undefined;
  return change;
}

/** Adds the accounts with member overwrites, which are the same in both groups. */
function addChangesByMemberOverwrites<S>(
  guild: MutableGuild<S>,
  movements: readonly Movement<S>[],
  from: ViewerGroup<S>,
  to: ViewerGroup<S>,
  { gained, lost }: Change<S>,
): void {
  for (const id of from.member_overwrite_ids) {
    const account = guild.members.get(id)?.account;
    const movement = account && movements.find(({ accounts }) => accounts.has(account));
    if (account === undefined || movement === undefined) continue;
    const could = canViewByMemberOverwrite(guild, from, movement.before, id);
    const can = canViewByMemberOverwrite(guild, to, movement.after, id);
    if (could !== can) (can ? gained : lost).push(account);
  }
}
