import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { FollowedAccount, FollowedGuild } from './world-state.ts';

/** A delivery to all sessions of some accounts. It has no account twice. */
export interface Delivery<S> {
  readonly accounts: readonly FollowedAccount<S>[];
  readonly kind: DeliveryKind<S>;
}

export type DeliveryKind<S = unknown> =
  /** The event itself. */
  | { readonly type: 'event' }
  /** GUILD_CREATE with the guild's current state, for one account. */
  | { readonly type: 'guild_created'; readonly guild: FollowedGuild<S> }
  /** CHANNEL_CREATE, for accounts that gained the view. */
  | { readonly type: 'channel_shown'; readonly channel: ChannelRow }
  /** CHANNEL_DELETE of {id, guild_id}, for accounts that lost the view. */
  | { readonly type: 'channel_hidden'; readonly channel_id: string; readonly guild_id: string };

/** The event itself, unless nobody receives it. */
export function eventTo<S>(accounts: readonly FollowedAccount<S>[]): Delivery<S>[] {
  return accounts.length === 0 ? [] : [{ accounts, kind: EVENT }];
}

const EVENT = { type: 'event' } as const;
