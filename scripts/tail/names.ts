import type { GatewayEvent } from './frames.ts';
import { listOf, memberOf, textOf } from './members.ts';

/** What guilds, channels and roles are called, as far as the session was told. */
export interface Names {
  guild(id: string): string | undefined;
  channel(id: string): KnownChannel | undefined;
  role(id: string): string | undefined;
  /** Learns what an event tells. */
  learn(event: GatewayEvent): void;
  /** Forgets what an event says is gone. */
  forget(event: GatewayEvent): void;
}

export interface KnownChannel {
  /** "#general" or "@Ben". */
  readonly label: string;
  readonly guild_id: string | undefined;
}

export function knownNames(): Names {
  const guilds = new Map<string, string>();
  const channels = new Map<string, KnownChannel>();
  const roles = new Map<string, { name: string; guild_id: string }>();

  function learnGuild(guild: unknown): void {
    const id = textOf(guild, 'id');
    if (id === undefined) return;
    const name = textOf(guild, 'name');
    if (name !== undefined) guilds.set(id, name);
    for (const channel of listOf(guild, 'channels')) learnChannel(channel, id);
    for (const role of listOf(guild, 'roles')) learnRole(role, id);
  }

  function learnChannel(channel: unknown, guildId = textOf(channel, 'guild_id')): void {
    const id = textOf(channel, 'id');
    const label = labelOf(channel, guildId);
    if (id !== undefined && label !== undefined) channels.set(id, { label, guild_id: guildId });
  }

  function learnRole(role: unknown, guild_id: string | undefined): void {
    const [id, name] = [textOf(role, 'id'), textOf(role, 'name')];
    if (id !== undefined && name !== undefined && guild_id !== undefined) roles.set(id, { name, guild_id });
  }

  function forgetGuild(id: string): void {
    guilds.delete(id);
    for (const [channel, { guild_id }] of channels) if (guild_id === id) channels.delete(channel);
    for (const [role, { guild_id }] of roles) if (guild_id === id) roles.delete(role);
  }

  return {
    guild: (id) => guilds.get(id),
    channel: (id) => channels.get(id),
    role: (id) => roles.get(id)?.name,

    learn({ t, d }) {
      if (t === 'READY') {
        for (const names of [guilds, channels, roles]) names.clear();
        for (const guild of listOf(d, 'guilds')) learnGuild(guild);
        for (const channel of listOf(d, 'private_channels')) learnChannel(channel);
      } else if (t === 'GUILD_CREATE' || t === 'GUILD_UPDATE') learnGuild(d);
      else if (t === 'CHANNEL_CREATE' || t === 'CHANNEL_UPDATE') learnChannel(d);
      else if (t === 'GUILD_ROLE_CREATE' || t === 'GUILD_ROLE_UPDATE')
        learnRole(memberOf(d, 'role'), textOf(d, 'guild_id'));
    },

    forget({ t, d }) {
      if (t === 'GUILD_DELETE') forgetGuild(textOf(d, 'id') ?? '');
      else if (t === 'CHANNEL_DELETE') channels.delete(textOf(d, 'id') ?? '');
      else if (t === 'GUILD_ROLE_DELETE') roles.delete(textOf(d, 'role_id') ?? '');
    },
  };
}

/** What people call an account: {global_name, username}. */
export function nameOfUser(user: unknown): string | undefined {
  return textOf(user, 'global_name') ?? textOf(user, 'username');
}

function labelOf(channel: unknown, guildId: string | undefined): string | undefined {
  const name = textOf(channel, 'name');
  if (guildId !== undefined) return name && `#${name}`;
  const recipients = listOf(channel, 'recipients')
    .map(nameOfUser)
    .filter((each) => each !== undefined);
  return name ?? (recipients.length === 0 ? undefined : `@${recipients.join(', @')}`);
}
