import type { GatewayEvent } from '../../gateway-client/frames.ts';
import { listOf, textOf } from '../../json/members.ts';

export interface KnownChannel {
  /** "#general" or "@Ben". */
  readonly label: string;
  readonly guild_id: string | undefined;
}

/** The names of guilds and channels, from the events of a session. IDs are never reused, so none is forgotten. */
export class KnownNames {
  readonly #guilds = new Map<string, string>();
  readonly #channels = new Map<string, KnownChannel>();

  guild(id: string): string | undefined {
    return this.#guilds.get(id);
  }

  channel(id: string): KnownChannel | undefined {
    return this.#channels.get(id);
  }

  learn({ t, d }: GatewayEvent): void {
    if (t === 'READY') {
      for (const guild of listOf(d, 'guilds')) this.#learnGuild(guild);
      for (const channel of listOf(d, 'private_channels')) this.#learnChannel(channel);
    } else if (t === 'GUILD_CREATE' || t === 'GUILD_UPDATE') this.#learnGuild(d);
    else if (t === 'CHANNEL_CREATE' || t === 'CHANNEL_UPDATE') this.#learnChannel(d);
  }

  #learnGuild(guild: unknown): void {
    const id = textOf(guild, 'id');
    if (id === undefined) return;
    const name = textOf(guild, 'name');
    if (name !== undefined) this.#guilds.set(id, name);
    for (const channel of listOf(guild, 'channels')) this.#learnChannel(channel, id);
  }

  #learnChannel(channel: unknown, guild_id = textOf(channel, 'guild_id')): void {
    const id = textOf(channel, 'id');
    const label = labelOf(channel, guild_id);
    if (id !== undefined && label !== undefined) this.#channels.set(id, { label, guild_id });
  }
}

/** The display name of a user. */
export function nameOfUser(user: unknown): string | undefined {
  return textOf(user, 'global_name') ?? textOf(user, 'username');
}

function labelOf(channel: unknown, guild_id: string | undefined): string | undefined {
  const name = textOf(channel, 'name');
  if (guild_id !== undefined) return name && `#${name}`;
  const recipients = listOf(channel, 'recipients')
    .map(nameOfUser)
    .filter((each) => each !== undefined);
  return name ?? (recipients.length === 0 ? undefined : `@${recipients.join(', @')}`);
}
