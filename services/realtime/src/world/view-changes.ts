import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { Delivery } from './delivery.ts';
import type { Movement } from './members.ts';
import { byPosition } from './order.ts';
import type { AccountPlace, Audience, OpenGuild } from './places.ts';
import { endIfEmpty } from './role-sets.ts';
import { canViewAlone, canViewTogether } from './views.ts';

/**
 * Who gained or lost the view of which channel when members moved, by the channels' positions. It asks once for all
 * that hold the same roles, and once for all channels with the same overwrites.
 *
 * @param before the audiences of channels whose overwrites changed, too
 */
export function viewChanges<S>(
  guild: OpenGuild<S>,
  movements: readonly Movement<S>[],
  before: ReadonlyMap<string, Audience<S>> = new Map(),
): readonly Delivery<S>[] {
  if (movements.length === 0) return [];
  const changes = new Map<Audience<S>, Change<S>>();
  const touched: [ChannelRow, Change<S>][] = [];
  for (const channel of guild.channels.values()) {
    const after = guild.audience_of.get(channel.id);
    const from = before.get(channel.id) ?? after;
    if (after === undefined || from === undefined) continue;
    const change = changes.get(from) ?? changeOf(guild, movements, from, after);
    changes.set(from, change);
    if (change.gained.length + change.lost.length > 0) touched.push([channel, change]);
  }
  for (const { before: left } of movements) endIfEmpty(guild, left);
  return touched
    .sort(([one], [other]) => byPosition(one, other))
    .flatMap(([channel, { gained, lost }]) => [...shown(channel, gained), ...hidden(channel, lost)]);
}

export function shown<S>(channel: ChannelRow, accounts: readonly AccountPlace<S>[]): Delivery<S>[] {
  return accounts.length === 0 ? [] : [{ accounts, told: { kind: 'channel_shown', channel } }];
}

export function hidden<S>(channel: ChannelRow, accounts: readonly AccountPlace<S>[]): Delivery<S>[] {
  const { id: channel_id, guild_id } = channel;
  if (accounts.length === 0 || guild_id == null) return [];
  return [{ accounts, told: { kind: 'channel_hidden', channel_id, guild_id } }];
}

interface Change<S> {
  readonly gained: AccountPlace<S>[];
  readonly lost: AccountPlace<S>[];
}

/** Channels with the same audience get the same one, so it is enough to know from which to which. */
function changeOf<S>(
  guild: OpenGuild<S>,
  movements: readonly Movement<S>[],
  from: Audience<S>,
  to: Audience<S>,
): Change<S> {
  const change: Change<S> = { gained: [], lost: [] };
  for (const { before, after, accounts } of movements) {
    const could = canViewTogether(guild, from, before);
    const can = canViewTogether(guild, to, after);
    if (could === can) continue;
    const list = can ? change.gained : change.lost;
    for (const account of accounts) if (!from.own.has(account.id)) list.push(account);
  }
  changeOfOwn(guild, movements, from, to, change);
  if (change.gained.length + change.lost.length > 0) to.viewers = undefined;
  return change;
}

/** Of those with overwrites of their own, which are the same in both. */
function changeOfOwn<S>(
  guild: OpenGuild<S>,
  movements: readonly Movement<S>[],
  from: Audience<S>,
  to: Audience<S>,
  { gained, lost }: Change<S>,
): void {
  for (const id of from.own) {
    const account = guild.members.get(id)?.account;
    const movement = account && movements.find(({ accounts }) => accounts.has(account));
    if (account === undefined || movement === undefined) continue;
    const could = canViewAlone(guild, from, movement.before, id);
    const can = canViewAlone(guild, to, movement.after, id);
    if (could !== can) (can ? gained : lost).push(account);
  }
}
