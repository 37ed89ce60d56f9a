import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { FollowedAccount, FollowedGuild } from './world-state.ts';

/** All sessions of these accounts are told. No account is in it twice. */
export interface Delivery<S> {
  readonly accounts: readonly FollowedAccount<S>[];
  readonly told: DeliveryKind<S>;
}

export type DeliveryKind<S = unknown> =
  /** As the event's type has it. */
  | { readonly kind: 'event' }
  /** GUILD_CREATE, of the guild as it is now: for one account. */
  | { readonly kind: 'guild_created'; readonly guild: FollowedGuild<S> }
  /** The view of it was gained: CHANNEL_CREATE. */
  | { readonly kind: 'channel_shown'; readonly channel: ChannelRow }
  /** The view of it was lost: CHANNEL_DELETE of {id, guild_id}. */
  | { readonly kind: 'channel_hidden'; readonly channel_id: string; readonly guild_id: string };

/** The event itself, where anybody is told. */
export function eventTo<S>(accounts: readonly FollowedAccount<S>[]): Delivery<S>[] {
  return accounts.length === 0 ? [] : [{ accounts, told: EVENT }];
}

const EVENT = { kind: 'event' } as const;
