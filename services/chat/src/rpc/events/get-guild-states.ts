import { writeCursor } from '@gatehouse/kit/event-log/cursor';
import { requireSnapshot } from '@gatehouse/kit/event-log/snapshot';
import type { Handler } from '@gatehouse/kit/rpc';
import { isSnowflake } from '@gatehouse/kit/snowflake';
import type {
  AccountState,
  GetGuildStatesRequest,
  GetGuildStatesResponse,
  GuildState,
} from '@gatehouse/proto/chat';
import type { Deps } from '../../deps.ts';
import { badRequest } from '../../errors.ts';
import { viewGuildState, viewStateChannel, viewStateMember } from '../../guilds/guild-state-view.ts';
import { findGuildStates, type GuildStates } from '../../store/guilds/guild-states.ts';

const MAX_STATES = 1_000;

export function getGuildStates({
  db,
  eventLog,
}: Deps): Handler<GetGuildStatesRequest, GetGuildStatesResponse> {
  return async ({ guild_ids, account_ids }) => {
    if (guild_ids.length > MAX_STATES || account_ids.length > MAX_STATES)
      throw badRequest('At most 1,000 guilds and 1,000 accounts can be asked for.');
    const accounts = distinctSnowflakes(account_ids);
    const states = await findGuildStates(db, distinctSnowflakes(guild_ids), accounts);
    if (states === undefined) throw badRequest('These guilds are too much for one answer: ask for fewer.');
    eventLog.tail.expectReader();
    return {
      cursor: writeCursor({ seen: requireSnapshot(states.seen) }),
      guilds: guildStates(states),
      accounts: accountStates(states, accounts),
    };
  };
}

/** An ID that is not a snowflake matches nothing. */
function distinctSnowflakes(ids: readonly string[]): string[] {
  return [...new Set(ids.filter(isSnowflake))];
}

function guildStates({ guilds, channels, members }: GuildStates): GuildState[] {
  const channelsOf = Map.groupBy(channels, ({ guild_id }) => guild_id);
  const membersOf = Map.groupBy(members, ({ guild_id }) => guild_id);
  return guilds.map((guild) =>
    viewGuildState({
      guild,
      channels: channelsOf.get(guild.id) ?? [],
      members: membersOf.get(guild.id) ?? [],
    }),
  );
}

function accountStates(
  { members, private_channels }: GuildStates,
  accountIds: readonly string[],
): AccountState[] {
  const membersOf = Map.groupBy(members, ({ account_id }) => account_id);
  const channelsOf = Map.groupBy(private_channels, ({ account_id }) => account_id);
  return accountIds.map((account_id) => ({
    account_id,
    guild_ids: (membersOf.get(account_id) ?? []).map(({ guild_id }) => guild_id),
    members: (membersOf.get(account_id) ?? []).map((row) => ({
      guild_id: row.guild_id,
      member: viewStateMember(row),
    })),
    private_channels: (channelsOf.get(account_id) ?? []).map((channel) => ({
      channel: viewStateChannel(channel),
      recipient_ids: [...channel.recipient_ids],
    })),
  }));
}
