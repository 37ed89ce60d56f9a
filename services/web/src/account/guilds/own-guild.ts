import type { GuildBot } from '@gatehouse/proto/chat';
import type { ManagedGuild } from '../../guilds/managed-guild.ts';

/** A guild of the account. */
export interface OwnGuild extends ManagedGuild {
  /** Its bots. Undefined if the account may not see them, or if they were not loaded. */
  readonly bots: readonly GuildBot[] | undefined;
}

/** The guilds that have the bot of an application. A bot has the ID of its application. */
export function guildsWithBot(guilds: readonly OwnGuild[], application_id: string): OwnGuild[] {
  return guilds.filter(({ bots = [] }) => bots.some(({ user }) => user?.id === application_id));
}

/** Where the bots of a guild are removed. */
export function botsPage({ id }: Pick<OwnGuild, 'id'>): string {
  return `/guilds/${id}#bots`;
}
