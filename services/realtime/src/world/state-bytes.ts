import type { GuildState } from '@gatehouse/proto/chat';
import type { FollowedAccount, WorldState } from './world-state.ts';

/** The parts of a guild that determine its size, in chat's states and in the world. */
interface MeasuredGuild {
  readonly roles: Iterable<{ readonly name: string }>;
  readonly channels: Iterable<MeasuredChannel>;
}

interface MeasuredChannel {
  readonly name?: string | null | undefined;
  readonly topic?: string | null | undefined;
  readonly permission_overwrites: readonly unknown[];
}

const GUILD = 400;
const ROLE = 250;
const CHANNEL = 400;
const OVERWRITE = 100;
const MEMBER = 250;
const PRIVATE_CHANNEL = 600;

/** Estimates the bytes of a guild with all its channels as JSON text. In memory it takes up to twice as much. */
function guildBytes({ roles, channels }: MeasuredGuild): number {
  let bytes = GUILD;
  for (const { name } of roles) bytes += ROLE + 2 * name.length;
  for (const { name, topic, permission_overwrites } of channels) {
    const text = (name?.length ?? 0) + (topic?.length ?? 0);
    bytes += CHANNEL + 2 * text + OVERWRITE * permission_overwrites.length;
  }
  return bytes;
}

export function privateChannelsBytes(count: number): number {
  return PRIVATE_CHANNEL * count;
}

/** Estimates the bytes of loaded guilds. */
export function guildStatesBytes(states: readonly GuildState[]): number {
  return states.reduce(
    (sum, { guild, channels }) => sum + guildBytes({ roles: guild?.roles ?? [], channels }),
    0,
  );
}

/** Estimates the bytes that are sent to a new session of the account. */
export function accountBytes({ guilds, private_channels }: FollowedAccount): number {
  let bytes = privateChannelsBytes(private_channels.size);
  for (const { roles, channels } of guilds)
    bytes += MEMBER + guildBytes({ roles: roles.values(), channels: channels.values() });
  return bytes;
}

/** Estimates the bytes of all followed guilds and accounts. It visits all of them. */
export function stateBytes<S>({ guilds, accounts }: WorldState<S>): number {
  let bytes = 0;
  for (const { roles, channels, members } of guilds.values())
    bytes += MEMBER * members.size + guildBytes({ roles: roles.values(), channels: channels.values() });
  for (const { private_channels } of accounts.values()) bytes += privateChannelsBytes(private_channels.size);
  return bytes;
}

/** Estimates each account's share of those bytes. Accounts in a guild share its bytes. */
export function stateBytesByAccount<S>({ guilds, accounts }: WorldState<S>): Map<string, number> {
  const bytes = new Map<string, number>();
  for (const { id, private_channels } of accounts.values())
    bytes.set(id, privateChannelsBytes(private_channels.size));
  for (const { roles, channels, members } of guilds.values()) {
    const share = guildBytes({ roles: roles.values(), channels: channels.values() }) / members.size;
    for (const id of members.keys()) bytes.set(id, (bytes.get(id) ?? 0) + MEMBER + share);
  }
  return bytes;
}
