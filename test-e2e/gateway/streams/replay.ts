import type { ChannelRow } from '@gatehouse/chat-client/rows';
import type { GetGuildStatesResponse } from '@gatehouse/proto/chat';
import type { LogRow } from './chat-database.ts';
import { ABSENT, messageKey, plainKey, privateDigest, privateKey, type ScopeId } from './event-keys.ts';
import { type ExpectedStreams, expectedStreams } from './expected.ts';
import { type PlainGuild, plainGuild, withMessage } from './plain-guild.ts';
import { replayGuild } from './replay-guild.ts';

/** The events that each account should receive by a simple replay of the log in ID order, and the final state. */
export interface Replayed {
  readonly streams: ExpectedStreams;
  /** The guilds' final state. */
  readonly guilds: readonly PlainGuild[];
}

export function replay(start: GetGuildStatesResponse, log: readonly LogRow[]): Replayed {
  const accounts = new Set(start.accounts.map(({ account_id }) => account_id));
  const streams = expectedStreams();
  const guilds = new Map(
    start.guilds.map((state) => {
      const guild = plainGuild(state);
      return [guild.row.id, replayGuild(guild, accounts, streams)];
    }),
  );
  const privately = replayPrivate(start, accounts, streams);
  for (const { place } of guilds.values()) place();
  privately.placeAll();
  /** The last transaction of each scope. The events of a transaction follow each other. */
  const open = new Map<ScopeId, string>();
  const placeOf = (scope: ScopeId) => guilds.get(scope)?.place() ?? privately.place(scope);
  for (const event of log) {
    const scope = event.guild_id ?? event.channel_id ?? '';
    const before = open.get(scope);
    if (before !== undefined && before !== event.xact_id) placeOf(scope);
    open.set(scope, event.xact_id);
    if (event.guild_id === null) privately.apply(event);
    else guilds.get(event.guild_id)?.apply(event);
  }
  for (const scope of open.keys()) placeOf(scope);
  return { streams, guilds: [...guilds.values()].map(({ guild }) => guild) };
}

interface PrivateReplay {
  apply(event: LogRow): void;
  place(channel_id: ScopeId): void;
  placeAll(): void;
}

interface PrivatePayload {
  readonly id: string;
  readonly channel_id: string;
  readonly account_id: string;
}

/** Replays the open private channels of each account. */
function replayPrivate(
  start: GetGuildStatesResponse,
  accounts: ReadonlySet<string>,
  streams: ExpectedStreams,
): PrivateReplay {
  const open = new Map<string, Map<string, ChannelRow>>();
  const known = new Set<string>();
  for (const { account_id, private_channels } of start.accounts) {
    const own = private_channels.flatMap(({ channel, recipient_ids }) =>
      channel == null ? [] : [[channel.id, { ...channel, recipient_ids }] as const],
    );
    open.set(account_id, new Map(own));
    for (const [id] of own) known.add(id);
  }
  const shown = (channel: ChannelRow, account: string) => ({
    ...channel,
    others: channel.recipient_ids.filter((id) => id !== account),
  });
  const place = (channel_id: string) => {
    for (const account of accounts) {
      const channel = open.get(account)?.get(channel_id);
      const digest = channel === undefined ? ABSENT : privateDigest(shown(channel, account));
      streams.of(account, channel_id).place(digest);
    }
  };

  function keyFor(account: string, event: LogRow): string {
    const said = event.payload as PrivatePayload; // chat wrote it (docs/events.md#payloads)
    const { type } = event;
    if (type.startsWith('CHANNEL_RECIPIENT_')) return plainKey(type, said.channel_id, said.account_id);
    if (type === 'MESSAGE_DELETE') return plainKey(type, said.channel_id, said.id);
    if (type.startsWith('MESSAGE_')) return messageKey(type, said);
    return privateKey(type, shown(event.payload as ChannelRow, account)); // as its type says
  }

  return {
    apply: (event) => {
      known.add(event.channel_id ?? '');
      for (const account of event.account_ids ?? []) {
        const own = open.get(account);
        if (own === undefined) continue;
        streams.of(account, event.channel_id ?? '').deliver(keyFor(account, event), event.id);
        applyPrivately(own, event);
      }
    },
    place,
    placeAll: () => {
      for (const id of known) place(id);
    },
  };
}

/** Applies an event to one receiver's open channels. */
function applyPrivately(open: Map<string, ChannelRow>, event: LogRow): void {
  const channel_id = event.channel_id ?? '';
  const said = event.payload as PrivatePayload; // as above
  const channel = open.get(channel_id);
  if (event.type === 'CHANNEL_CREATE') open.set(channel_id, event.payload as ChannelRow);
  else if (event.type === 'CHANNEL_DELETE') open.delete(channel_id);
  else if (channel !== undefined) open.set(channel_id, changed(channel, event.type, said));
}

function changed(channel: ChannelRow, type: string, { id, account_id }: PrivatePayload): ChannelRow {
  const recipients = channel.recipient_ids.filter((one) => one !== account_id);
  switch (type) {
    case 'MESSAGE_CREATE':
      return withMessage(channel, id);
    case 'CHANNEL_RECIPIENT_ADD':
      return { ...channel, recipient_ids: [...recipients, account_id] };
    case 'CHANNEL_RECIPIENT_REMOVE':
      return { ...channel, recipient_ids: recipients };
    default:
      return channel;
  }
}
