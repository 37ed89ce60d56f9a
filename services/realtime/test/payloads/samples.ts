import type { ChannelRow, GuildRow, MemberRow, MessageRow } from '@gatehouse/chat-client/rows';
import type { CurrentUser, User } from '@gatehouse/proto/auth';
import type { Role } from '@gatehouse/proto/chat';
import type { LogEvent } from '../../src/world/event.ts';

export const ann: User = {
  id: '1001',
  username: 'ann',
  discriminator: '0',
  global_name: 'Ann',
  avatar: null,
  bot: false,
};
export const bob: User = { ...ann, id: '1002', username: 'bob', global_name: null };

/** 1003 is missing: it has been deleted. */
export const users: ReadonlyMap<string, User> = new Map([ann, bob].map((user) => [user.id, user]));

export const current: CurrentUser = {
  ...ann,
  email: 'ann@example.com',
  verified: true,
  bio: null,
  pronouns: null,
  accent_color: null,
  banner: null,
  mfa_enabled: false,
  authenticator_types: [],
  password_last_changed_at: null,
  premium_type: 0,
  flags: 0,
  locale: null,
};

export const everyone: Role = {
  id: '11',
  name: '@everyone',
  color: 0,
  position: 0,
  hoist: false,
  mentionable: false,
  permissions: '1071698660929',
};
export const editors: Role = {
  id: '12',
  name: 'Editors',
  color: 3447003,
  position: 1,
  hoist: true,
  mentionable: false,
  permissions: '8192',
};

export const guild: GuildRow = {
  id: '11',
  name: 'A guild',
  icon: null,
  owner_id: '1001',
  features: [],
  member_count: 2,
};

export const general: ChannelRow = {
  id: '21',
  guild_id: '11',
  type: 0,
  name: 'general',
  topic: null,
  position: 0,
  parent_id: null,
  rate_limit_per_user: 0,
  permission_overwrites: [{ id: '11', type: 0, allow: '0', deny: '2048' }],
  last_message_id: null,
  recipient_ids: [],
  owner_id: null,
};

export const lunch: ChannelRow = {
  ...general,
  id: '22',
  guild_id: null,
  type: 3,
  name: 'Lunch',
  permission_overwrites: [],
  last_message_id: '31',
  recipient_ids: ['1002', '1001'],
  owner_id: '1002',
};

export const annInGuild: MemberRow = {
  account_id: '1001',
  nick: null,
  avatar: null,
  banner: null,
  bio: null,
  pronouns: null,
  accent_color: null,
  role_ids: [],
  joined_at: '2026-03-14T09:26:53.589Z',
};
export const bobInGuild: MemberRow = { ...annInGuild, account_id: '1002', nick: 'Bobby', role_ids: ['12'] };

export const hello: MessageRow = {
  id: '1483056239312896003',
  channel_id: '21',
  author_id: '1001',
  webhook_id: null,
  webhook_name: null,
  webhook_avatar: null,
  type: 0,
  flags: 0,
  content: 'Hello <@1002>',
  embeds: [{ type: 'rich', title: 'Menu', color: 0, fields: [] }],
  mention_ids: ['1002'],
  mention_role_ids: [],
  mention_everyone: false,
  pinned: false,
  edited_at: null,
};

export const byWebhook: MessageRow = {
  ...hello,
  author_id: null,
  webhook_id: '41',
  webhook_name: 'Deploys',
  webhook_avatar: 'a1b2',
  mention_ids: [],
  mention_role_ids: ['12'],
  edited_at: '2026-03-14T09:30:00.000Z',
};

/** A stored event: its payload went through jsonb, which orders members by length. */
export function logEvent(type: string, payload: object, scope: Partial<LogEvent> = {}): LogEvent {
  const stored = asStored(JSON.parse(JSON.stringify(payload)));
  return {
    id: '1',
    type,
    account_ids: [],
    channel_id: undefined,
    guild_id: undefined,
    payload: stored,
    created_at: '2026-03-14T09:30:00.000Z',
    xact_id: '700',
    ...scope,
  };
}

function asStored(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(asStored);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, asStored(member)] as const);
  return Object.fromEntries(members.sort(([a], [b]) => a.length - b.length || (a < b ? -1 : 1)));
}

const IN_GUILD = { guild_id: '11' };
const IN_GENERAL = { ...IN_GUILD, channel_id: '21' };
const IN_LUNCH = { account_ids: ['1001', '1002'], channel_id: '22' };

/** An event of each type, as chat writes it (docs/events.md#payloads). */
export const EVENTS: readonly LogEvent[] = [
  logEvent('GUILD_UPDATE', guild, IN_GUILD),
  logEvent('GUILD_DELETE', { guild_id: '11' }, { ...IN_GUILD, account_ids: ['1001'] }),
  logEvent('GUILD_ROLE_CREATE', { guild_id: '11', role: editors }, IN_GUILD),
  logEvent('GUILD_ROLE_UPDATE', { guild_id: '11', role: editors }, IN_GUILD),
  logEvent('GUILD_ROLE_DELETE', { guild_id: '11', role_id: '12' }, IN_GUILD),
  logEvent('GUILD_MEMBER_ADD', { guild_id: '11', member: bobInGuild, member_count: 2 }, IN_GUILD),
  logEvent('GUILD_MEMBER_UPDATE', { guild_id: '11', member: bobInGuild }, IN_GUILD),
  logEvent('GUILD_MEMBER_REMOVE', { guild_id: '11', account_id: '1002', member_count: 1 }, IN_GUILD),
  logEvent('CHANNEL_CREATE', general, IN_GENERAL),
  logEvent('CHANNEL_UPDATE', general, IN_GENERAL),
  logEvent('CHANNEL_DELETE', general, IN_GENERAL),
  logEvent('CHANNEL_RECIPIENT_ADD', { channel_id: '22', account_id: '1003' }, IN_LUNCH),
  logEvent('CHANNEL_RECIPIENT_REMOVE', { channel_id: '22', account_id: '1003' }, IN_LUNCH),
  logEvent('MESSAGE_CREATE', { ...hello, nonce: '7' }, IN_GENERAL),
  logEvent('MESSAGE_UPDATE', { ...hello, edited_at: '2026-03-14T09:30:00.000Z' }, IN_GENERAL),
  logEvent('MESSAGE_DELETE', { id: hello.id, channel_id: '21', guild_id: '11' }, IN_GENERAL),
  logEvent('WEBHOOKS_UPDATE', { guild_id: '11', channel_id: '21' }, IN_GUILD),
  logEvent('INVITE_CREATE', { code: 'Ab3dE6gH', channel_id: '21', guild_id: '11' }, IN_GENERAL),
  logEvent('INVITE_DELETE', { code: 'Ab3dE6gH', channel_id: '21', guild_id: '11' }, IN_GENERAL),
];

/** The events of a group DM that 1001 and 1002 have. */
export const LUNCH_EVENTS: readonly LogEvent[] = ['CHANNEL_CREATE', 'CHANNEL_UPDATE', 'CHANNEL_DELETE'].map(
  (type) => logEvent(type, lunch, IN_LUNCH),
);
