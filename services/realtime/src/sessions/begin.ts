import { randomBytes } from 'node:crypto';
import type { Users } from '@gatehouse/auth-client/users';
import type { CurrentUser, User } from '@gatehouse/proto/auth';
import { dispatchOf } from '../connections/dispatch.ts';
import type { EventReceiver } from '../following/event-receiver.ts';
import { shownGuild } from '../following/shown-guild.ts';
import { privateChannel } from '../payloads/channel-payload.ts';
import { guildPayload } from '../payloads/guild-payload.ts';
import { readyPayload, unavailableGuild } from '../payloads/ready.ts';
import { userDigest } from '../payloads/user-payload.ts';
import { privateChannelsOf } from '../world/world.ts';
import type { FollowedAccount } from '../world/world-state.ts';
import type { Credential } from './credential.ts';
import type { Keeping } from './positions.ts';
import { newSession, type Session } from './session.ts';

export interface Beginning {
  readonly credential: Credential;
  readonly user: CurrentUser;
  readonly shard: readonly [number, number] | undefined;
  readonly resume_gateway_url: string;
  readonly keeping: Keeping;
}

/** The public users that READY and GUILD_CREATE show to an account. */
export interface ShownUsers {
  readonly asked: ReadonlySet<string>;
  /** Those that exist. */
  readonly known: ReadonlyMap<string, User>;
}

export async function usersShownTo(
  account: FollowedAccount<EventReceiver>,
  users: Users,
): Promise<ShownUsers> {
  const asked = new Set(accountsShownTo(account));
  return { asked, known: await users(asked) };
}

/** Whether these are all that are shown now. */
export function areAllShown(account: FollowedAccount<EventReceiver>, { asked }: ShownUsers): boolean {
  return accountsShownTo(account).every((id) => asked.has(id));
}

function accountsShownTo(account: FollowedAccount<EventReceiver>): string[] {
  const ids = new Set<string>([account.id]);
  for (const { recipient_ids } of account.private_channels.values())
    for (const id of recipient_ids) ids.add(id);
  return [...ids];
}

/** A session with its first events, as the world is now: READY, and for a bot its guilds. */
export function begin(
  account: FollowedAccount<EventReceiver>,
  users: ReadonlyMap<string, User>,
  { credential, user, shard, resume_gateway_url, keeping }: Beginning,
): Session {
  const { credential_id, is_bot } = credential;
  const id = randomBytes(16).toString('hex');
  const user_digest = userDigest(user);
  const session = newSession(
    { id, account, credential_id, is_bot, seq: 0, most_sent: 0, user_digest },
    keeping,
  );
  const guilds = [...account.guilds].flatMap((guild) => {
    const shown = shownGuild(guild, account.id);
    return shown === undefined ? [] : [{ id: guild.id, text: guildPayload(shown, users) }];
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
  session.positions.push(dispatchOf('READY', ready));
  if (is_bot) for (const { text } of guilds) session.positions.push(dispatchOf('GUILD_CREATE', text));
  return session;
}
