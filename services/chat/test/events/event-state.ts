import { channelPermissions, holds, Permission } from '@gatehouse/chat-client/permissions';
import type { ChannelRow, GuildRow, MemberRow } from '@gatehouse/chat-client/rows';
import type {
  Event,
  GetGuildStatesResponse,
  GuildState,
  Member as ProtoMember,
  Role,
} from '@gatehouse/proto/chat';
import { internally } from '../support/requests.ts';
import type { ChatClient } from '../support/start-chat.ts';

type Channel = ReturnType<typeof channelOf>;
type Member = ReturnType<typeof memberOf>;

interface Guild {
  fields: Record<string, unknown>;
  readonly roles: Map<string, Role>;
  readonly channels: Map<string, Channel>;
  readonly members: Map<string, Member>;
}

interface Account {
  readonly guild_ids: Set<string>;
  readonly private_channels: Map<string, Channel>;
}

/** Opens the state of a reader of these accounts. */
export async function openEventState(chat: ChatClient, accountIds: readonly string[]): Promise<EventState> {
  return new EventState(chat, accountIds, await whereToBegin(chat, accountIds));
}

/** The state of a reader that begins with GetGuildStates and then applies events (docs/events.md). */
export class EventState {
  readonly cursor: string;
  readonly #chat: ChatClient;
  readonly #accountIds: readonly string[];
  readonly #guilds = new Map<string, Guild>();
  readonly #accounts = new Map<string, Account>();

  constructor(chat: ChatClient, accountIds: readonly string[], begin: GetGuildStatesResponse) {
    this.cursor = begin.cursor;
    this.#chat = chat;
    this.#accountIds = accountIds;
    for (const state of begin.guilds) this.#guilds.set(state.guild?.id ?? '', guildOf(state));
    for (const { account_id, guild_ids, private_channels } of begin.accounts) {
      const channels = private_channels.flatMap(({ channel, recipient_ids }) =>
        channel === null ? [] : channelOf({ ...channel, recipient_ids }),
      );
      this.#accounts.set(account_id, {
        guild_ids: new Set(guild_ids),
        private_channels: new Map(channels.map((channel) => [channel.id, channel])),
      });
    }
  }

  /** Applies the next event. */
  async apply(event: Event): Promise<void> {
    const { type, account_ids, guild_id } = event;
    const payload = JSON.parse(event.payload) as Payload;
    const [accountId] = account_ids;
    if (guild_id == null) this.#applyToAccounts(event, payload);
    else if (type === 'GUILD_CREATE') await this.#createGuild(guild_id, accountId ?? '', event.id);
    else if (type === 'GUILD_DELETE' && accountId !== undefined)
      this.#accounts.get(accountId)?.guild_ids.delete(guild_id);
    else if (type === 'GUILD_DELETE') {
      this.#guilds.delete(guild_id);
      for (const { guild_ids } of this.#accounts.values()) guild_ids.delete(guild_id);
    } else {
      const guild = this.#guilds.get(guild_id);
      if (guild !== undefined) ON_GUILD[type]?.(guild, payload, (id) => this.#accounts.has(id));
    }
  }

  /** The followed accounts that can view an event now. */
  viewers({ guild_id, channel_id, account_ids }: Event): string[] {
    if (account_ids.length > 0) return this.#accountIds.filter((id) => account_ids.includes(id)).sort();
    const guild = this.#guilds.get(guild_id ?? '');
    const channel = guild?.channels.get(channel_id ?? '');
    if (guild === undefined || channel === undefined) return [];
    return this.#accountIds.filter((id) => canView(guild, channel, id)).sort();
  }

  /** The whole state, for comparison. */
  written(): unknown {
    const accounts = [...this.#accounts];
    // A reader may forget guilds without followed accounts.
    const guilds = [...this.#guilds].filter(([id]) =>
      accounts.some(([, { guild_ids }]) => guild_ids.has(id)),
    );
    return {
      guilds: Object.fromEntries(
        guilds.map(([id, { fields, roles, channels, members }]) => [
          id,
          {
            fields,
            roles: Object.fromEntries(roles),
            channels: Object.fromEntries(channels),
            members: Object.fromEntries(members),
          },
        ]),
      ),
      accounts: Object.fromEntries(
        accounts.map(([id, { guild_ids, private_channels }]) => [
          id,
          { guild_ids: [...guild_ids].sort(), private_channels: Object.fromEntries(private_channels) },
        ]),
      ),
    };
  }

  async #createGuild(guildId: string, accountId: string, id: string): Promise<void> {
    this.#accounts.get(accountId)?.guild_ids.add(guildId);
    if (!this.#accounts.has(accountId) || this.#guilds.has(guildId)) return;
    const { events } = await this.#chat.getEvents({ ids: [id], with_states: true }, internally);
    const state = events[0]?.guild_state;
    if (state == null) throw new Error(`no state is stored with event ${id}`);
    this.#guilds.set(guildId, guildOf(state));
  }

  #applyToAccounts({ type, account_ids, channel_id }: Event, payload: Payload): void {
    for (const id of account_ids) {
      const channels = this.#accounts.get(id)?.private_channels;
      if (channels !== undefined && channel_id != null) ON_ACCOUNT[type]?.(channels, channel_id, payload);
    }
  }
}

/** The accounts with all their guilds, in one snapshot. */
async function whereToBegin(
  chat: ChatClient,
  accountIds: readonly string[],
): Promise<GetGuildStatesResponse> {
  for (let guild_ids: string[] = []; ; ) {
    const states = await chat.getGuildStates({ guild_ids, account_ids: [...accountIds] }, internally);
    const theirs = new Set(states.accounts.flatMap((account) => account.guild_ids));
    if (theirs.isSubsetOf(new Set(guild_ids))) return states;
    guild_ids = [...theirs];
  }
}

const ON_ACCOUNT: Record<
  string,
  (channels: Account['private_channels'], id: string, payload: Payload) => void
> = {
  CHANNEL_CREATE: (channels, id, channel) => {
    channels.set(id, channelOf(channel));
  },
  CHANNEL_UPDATE: (channels, id, channel) => {
    if (channels.has(id)) channels.set(id, channelOf(channel));
  },
  CHANNEL_DELETE: (channels, id) => {
    channels.delete(id);
  },
  CHANNEL_RECIPIENT_ADD: (channels, id, { account_id }) => {
    channels.get(id)?.recipient_ids.push(account_id);
  },
  CHANNEL_RECIPIENT_REMOVE: (channels, id, { account_id }) => {
    const channel = channels.get(id);
    if (channel !== undefined)
      channel.recipient_ids = channel.recipient_ids.filter((one) => one !== account_id);
  },
};

type Apply = (guild: Guild, payload: Payload, isFollowed: (accountId: string) => boolean) => void;

const setRole: Apply = ({ roles }, { role }) => {
  roles.set(role.id, role);
};
const setChannel: Apply = ({ channels }, channel) => {
  channels.set(channel.id, channelOf(channel));
};
const setMember: Apply = ({ members }, { member }, isFollowed) => {
  if (isFollowed(member.account_id)) members.set(member.account_id, memberOf(member));
};

const ON_GUILD: Record<string, Apply> = {
  GUILD_UPDATE: (guild, fields) => {
    guild.fields = fieldsOf(fields);
  },
  GUILD_ROLE_CREATE: setRole,
  GUILD_ROLE_UPDATE: setRole,
  GUILD_ROLE_DELETE: ({ roles, channels, members }, { role_id }) => {
    roles.delete(role_id);
    for (const member of members.values()) member.role_ids = member.role_ids.filter((id) => id !== role_id);
    for (const channel of channels.values())
      channel.permission_overwrites = channel.permission_overwrites.filter(
        ({ id, type }) => type === 1 || id !== role_id,
      );
  },
  GUILD_MEMBER_ADD: (guild, payload, isFollowed) => {
    guild.fields.member_count = payload.member_count;
    setMember(guild, payload, isFollowed);
  },
  GUILD_MEMBER_UPDATE: setMember,
  GUILD_MEMBER_REMOVE: ({ fields, members }, { account_id, member_count }) => {
    fields.member_count = member_count;
    members.delete(account_id);
  },
  CHANNEL_CREATE: setChannel,
  CHANNEL_UPDATE: setChannel,
  CHANNEL_DELETE: ({ channels }, { id }) => {
    channels.delete(id);
  },
};

/** The members of all payloads. An event has those of its type. */
type Payload = GuildRow &
  ChannelRow & {
    readonly role: Role;
    readonly role_id: string;
    readonly member: MemberRow;
    readonly account_id: string;
  };

function guildOf({ guild, channels, members }: GuildState): Guild {
  if (guild === null) throw new Error('the state has no guild');
  return {
    fields: fieldsOf(guild),
    roles: new Map(guild.roles.map((role) => [role.id, role])),
    channels: new Map(channels.map((channel) => [channel.id, channelOf(channel)])),
    members: new Map(
      members.map(({ account_id, member }) => {
        if (member === null) throw new Error(`the state has no member ${account_id}`);
        return [account_id, memberOf({ ...member, account_id, role_ids: member.roles })];
      }),
    ),
  };
}

function fieldsOf({ id, name, icon, owner_id, features, member_count }: GuildRow): Record<string, unknown> {
  return { id, name, icon: icon ?? null, owner_id, features, member_count };
}

function channelOf(channel: Omit<ChannelRow, 'recipient_ids'> & Partial<Pick<ChannelRow, 'recipient_ids'>>) {
  const { id, type, name, topic, position, parent_id, rate_limit_per_user, owner_id } = channel;
  return {
    id,
    type,
    name: name ?? null,
    topic: topic ?? null,
    position,
    parent_id: parent_id ?? null,
    rate_limit_per_user,
    owner_id: owner_id ?? null,
    recipient_ids: [...(channel.recipient_ids ?? [])],
    permission_overwrites: channel.permission_overwrites.toSorted((one, other) =>
      one.id < other.id ? -1 : 1,
    ),
  };
}

function memberOf(member: Omit<ProtoMember, 'user' | 'roles'> & Pick<MemberRow, 'account_id' | 'role_ids'>) {
  const { account_id, nick, avatar, banner, bio, pronouns, accent_color, joined_at } = member;
  return {
    account_id,
    nick: nick ?? null,
    avatar: avatar ?? null,
    banner: banner ?? null,
    bio: bio ?? null,
    pronouns: pronouns ?? null,
    accent_color: accent_color ?? null,
    role_ids: [...member.role_ids].sort(),
    joined_at,
  };
}

function canView(guild: Guild, channel: Channel, accountId: string): boolean {
  const member = guild.members.get(accountId);
  const guild_id = String(guild.fields.id);
  const held = [guild_id, ...(member?.role_ids ?? [])].flatMap((id) => guild.roles.get(id) ?? []);
  const membership = {
    guild_id,
    owner_id: String(guild.fields.owner_id),
    account_id: accountId,
    is_member: member !== undefined,
    roles: held,
  };
  return holds(channelPermissions(membership, channel.permission_overwrites), Permission.VIEW_CHANNEL);
}
