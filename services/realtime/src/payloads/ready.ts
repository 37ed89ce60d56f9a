import type { CurrentUser } from '@gatehouse/proto/auth';
import { arrayText, extend } from './texts.ts';
import { currentUser } from './user-payload.ts';

export interface Ready {
  readonly user: CurrentUser;
  readonly session_id: string;
  readonly resume_gateway_url: string;
  /** JSON texts: guildPayload for users, unavailableGuild for bots. */
  readonly guilds: readonly string[];
  /** JSON texts of privateChannel. */
  readonly private_channels: readonly string[];
  /** Only for bots. */
  readonly application_id?: string | undefined;
  /** The shard's number and the number of shards, if the client sent them. */
  readonly shard?: readonly [id: number, count: number] | undefined;
}

/** The `d` of READY. */
export function readyPayload(ready: Ready): string {
  const { user, session_id, resume_gateway_url, guilds, private_channels, application_id, shard } = ready;
  return extend('{"v":1}', {
    user: currentUser(user),
    session_id: JSON.stringify(session_id),
    resume_gateway_url: JSON.stringify(resume_gateway_url),
    guilds: arrayText(guilds),
    private_channels: arrayText(private_channels),
    ...(application_id !== undefined && {
      application: JSON.stringify({ id: application_id, flags: 0 }),
    }),
    ...(shard !== undefined && { shard: JSON.stringify(shard) }),
  });
}

/** A bot receives the guild later, by GUILD_CREATE. */
export function unavailableGuild(id: string): string {
  return JSON.stringify({ id, unavailable: true });
}
