import { EVENT_NAMES, type EventName } from '@gatehouse/realtime/protocol';
import type { CONTRACTS, PAYLOADS } from './payloads.ts';
import { rowsOf } from './rows-of.ts';

type SchemaName = keyof typeof PAYLOADS | keyof typeof CONTRACTS;

export interface EventRow {
  readonly summary: string;
  /** The sessions that receive it. */
  readonly to: string;
  /** The schemas of `d`: one of them. None: `d` is null. */
  readonly d: readonly SchemaName[];
}

const GUILD = 'the guild’s sessions';
const VIEWERS = 'sessions that can view it; recipients of a DM';
const RECIPIENTS = 'the other recipients of the group DM';
const READERS = 'sessions that can view the channel';
const MANAGERS = 'the guild’s sessions with MANAGE_CHANNELS in the channel';

const EVENTS: Readonly<Record<EventName, EventRow>> = {
  READY: { summary: 'The first event of a session.', to: 'the session that identified', d: ['Ready'] },
  RESUMED: { summary: 'Every missed event was sent.', to: 'the session that resumed', d: [] },
  GUILD_CREATE: {
    summary:
      'The account created or joined a guild, or a bot was installed into it; also each guild of a bot after READY.',
    to: 'sessions of an account that created or joined it, or was installed into it',
    d: ['AvailableGuild'],
  },
  GUILD_UPDATE: { summary: 'A guild changed.', to: GUILD, d: ['Guild'] },
  GUILD_DELETE: {
    summary: 'A guild was deleted, or the account has left it.',
    to: `${GUILD}; sessions of an account that leaves or is removed`,
    d: ['DeletedGuild'],
  },
  GUILD_ROLE_CREATE: { summary: 'A role was created.', to: GUILD, d: ['GuildRole'] },
  GUILD_ROLE_UPDATE: { summary: 'A role changed.', to: GUILD, d: ['GuildRole'] },
  GUILD_ROLE_DELETE: { summary: 'A role was deleted.', to: GUILD, d: ['DeletedRole'] },
  GUILD_MEMBER_ADD: { summary: 'A member joined.', to: GUILD, d: ['GuildMember'] },
  GUILD_MEMBER_UPDATE: { summary: 'A member changed.', to: GUILD, d: ['GuildMember'] },
  GUILD_MEMBER_REMOVE: { summary: 'A member left or was removed.', to: GUILD, d: ['FormerMember'] },
  CHANNEL_CREATE: {
    summary: 'A channel was created, or the session can view it from now on.',
    to: `${VIEWERS}; an account added to a group DM`,
    d: ['Channel'],
  },
  CHANNEL_UPDATE: { summary: 'A channel changed.', to: VIEWERS, d: ['Channel'] },
  CHANNEL_DELETE: {
    summary: 'A channel was deleted, or the session can no longer view it.',
    to: VIEWERS,
    d: ['Channel', 'HiddenChannel'],
  },
  CHANNEL_RECIPIENT_ADD: { summary: 'A user was added to a group DM.', to: RECIPIENTS, d: ['ChannelUser'] },
  CHANNEL_RECIPIENT_REMOVE: { summary: 'A user left a group DM.', to: RECIPIENTS, d: ['ChannelUser'] },
  MESSAGE_CREATE: { summary: 'A message was posted.', to: READERS, d: ['ReceivedMessage'] },
  MESSAGE_UPDATE: { summary: 'A message was edited.', to: READERS, d: ['ReceivedMessage'] },
  MESSAGE_DELETE: { summary: 'A message was deleted.', to: READERS, d: ['DeletedMessage'] },
  WEBHOOKS_UPDATE: { summary: 'A channel’s webhooks changed.', to: GUILD, d: ['ChannelWebhooks'] },
  INVITE_CREATE: { summary: 'An invite was created.', to: MANAGERS, d: ['ChannelInvite'] },
  INVITE_DELETE: { summary: 'An invite was deleted.', to: MANAGERS, d: ['ChannelInvite'] },
  USER_UPDATE: { summary: 'The account changed.', to: 'the account’s sessions', d: ['CurrentUser'] },
};

/** Each event of Dispatch. */
export function events(): [name: string, row: EventRow][] {
  return rowsOf('event', EVENT_NAMES, EVENTS);
}
