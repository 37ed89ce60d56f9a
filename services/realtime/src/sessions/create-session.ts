import { randomBytes } from 'node:crypto';
import type { CurrentUser, User } from '@gatehouse/proto/auth';
import { dispatchOf } from '../connections/dispatch.ts';
import type { EventReceiver } from '../following/event-receiver.ts';
import { visibleGuild } from '../following/visible-guild.ts';
import { privateChannel } from '../payloads/channel-payload.ts';
import { guildPayload } from '../payloads/guild-payload.ts';
import { readyPayload, unavailableGuild } from '../payloads/ready.ts';
import { userDigest } from '../payloads/user-payload.ts';
import { privateChannelsOf } from '../world/world.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import type { Credential } from './credentials.ts';
import type { ReplayBufferOptions } from './replay-buffer.ts';
import { Session } from './session.ts';

export interface CreateSessionOptions {
  readonly credential: Credential;
  readonly user: CurrentUser;
  readonly shard: readonly [number, number] | undefined;
  readonly resume_gateway_url: string;
  readonly buffer: ReplayBufferOptions;
}

/** Creates a session with its first events from the world's current state: READY, and a bot's GUILD_CREATEs. */
export function createSession(
  account: FollowedAccount<EventReceiver>,
  users: ReadonlyMap<string, User>,
  { credential, user, shard, resume_gateway_url, buffer }: CreateSessionOptions,
): Session {
  const { credential_id, is_bot } = credential;
  const id = randomBytes(16).toString('hex');
  const user_digest = userDigest(user);
  const session = new Session(
    { id, account, credential_id, is_bot, seq: 0, highest_sent: 0, user_digest },
    buffer,
  );
  const guilds = [...account.guilds].flatMap((guild) => {
    const visible = visibleGuild(guild, account.id);
    return visible === undefined ? [] : [{ id: guild.id, text: guildPayload(visible, users) }];
  });
  const private_channels = privateChannelsOf(account).map((channel) =>
    privateChannel(channel, account.id, users),
  );
  const ready = readyPayload({
    user,
    session_id: id,
    resume_gateway_url,
    guilds: guilds.map((guild) => (is_bot ? unavailableGuild(guild.id) : guild.text)),
    private_channels,
    application_id: is_bot ? account.id : undefined, // a bot has its application's ID
    shard,
  });
  session.buffer.push(dispatchOf('READY', ready));
  if (is_bot) for (const { text } of guilds) session.buffer.push(dispatchOf('GUILD_CREATE', text));
  return session;
}
