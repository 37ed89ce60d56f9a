import type { ChannelRow } from '@gatehouse/chat-client/rows';
import { type Delivery, eventTo } from './delivery.ts';
import type { LogEvent } from './event.ts';
import { leaveGuild } from './guild-events.ts';
import { handlers } from './handlers.ts';
import { afterDeletion, withLastMessage } from './last-message.ts';
import * as payloads from './log-payloads.ts';
import type { MutableAccount, WorldState } from './world-state.ts';

/** Applies an event that names accounts. Only they receive it. */
export function applyToAccounts<S>(state: WorldState<S>, event: LogEvent): readonly Delivery<S>[] {
  const handler = ACCOUNT_EVENTS.get(event.type);
  const accounts = [...new Set(event.account_ids)].flatMap((id) => state.accounts.get(id) ?? []);
  return handler === undefined || accounts.length === 0 ? [] : handler(accounts, event, state);
}

type AccountHandler = <S>(
  accounts: readonly MutableAccount<S>[],
  event: LogEvent,
  state: WorldState<S>,
) => readonly Delivery<S>[];

const ACCOUNT_EVENTS = handlers<AccountHandler>({
  GUILD_CREATE: createGuild,
  GUILD_DELETE: (accounts, { guild_id }, state) => {
    const guild = state.guilds.get(guild_id ?? '');
    if (guild !== undefined) for (const { id } of accounts) leaveGuild(state, guild, id);
    return eventTo(accounts);
  },
  CHANNEL_CREATE: (accounts, { payload }) => {
    const channel = payloads.channelOf(payload);
    if (channel === undefined) return [];
    for (const { private_channels } of accounts) private_channels.set(channel.id, channel);
    return eventTo(accounts);
  },
  CHANNEL_UPDATE: (accounts, { payload }) => {
    const channel = payloads.channelOf(payload);
    if (channel === undefined) return [];
    changeChannel(accounts, channel.id, () => channel);
    return eventTo(accounts);
  },
  CHANNEL_DELETE: (accounts, { channel_id }) => {
    for (const { private_channels } of accounts) private_channels.delete(channel_id ?? '');
    return eventTo(accounts);
  },
  CHANNEL_RECIPIENT_ADD: changeRecipients((recipients, id) =>
    recipients.includes(id) ? recipients : [...recipients, id],
  ),
  CHANNEL_RECIPIENT_REMOVE: changeRecipients((recipients, id) => recipients.filter((one) => one !== id)),
  MESSAGE_CREATE: (accounts, { channel_id, payload }) => {
    const id = payloads.textOf(payload, 'id');
    if (id === undefined) return [];
    changeChannel(accounts, channel_id, (channel) => withLastMessage(channel, id));
    return eventTo(accounts);
  },
  MESSAGE_UPDATE: eventTo,
  MESSAGE_DELETE: (accounts, { channel_id, payload }) => {
    changeChannel(accounts, channel_id, (channel) => afterDeletion(channel, payload));
    return eventTo(accounts);
  },
});

/** The guild has been added with the account's member (World.missingGuild), or nothing is delivered. */
function createGuild<S>(
  accounts: readonly MutableAccount<S>[],
  { guild_id }: LogEvent,
  { guilds }: WorldState<S>,
): readonly Delivery<S>[] {
  const guild = guilds.get(guild_id ?? '');
  if (guild === undefined) return [];
  const members = accounts.filter(({ id }) => guild.members.has(id));
  return members.map((account) => ({ accounts: [account], kind: { type: 'guild_created', guild } }));
}

function changeRecipients(
  change: (recipients: readonly string[], id: string) => readonly string[],
): AccountHandler {
  return (accounts, { channel_id, payload }) => {
    const id = payloads.textOf(payload, 'account_id');
    if (id === undefined) return [];
    changeChannel(accounts, channel_id, (channel) => ({
      ...channel,
      recipient_ids: change(channel.recipient_ids, id),
    }));
    return eventTo(accounts);
  };
}

/** Accounts that have closed the channel receive the event, and it stays closed. */
function changeChannel<S>(
  accounts: readonly MutableAccount<S>[],
  channelId: string | undefined,
  change: (channel: ChannelRow) => ChannelRow,
): void {
  for (const { private_channels } of accounts) {
    const channel = private_channels.get(channelId ?? '');
    if (channel !== undefined) private_channels.set(channel.id, change(channel));
  }
}
