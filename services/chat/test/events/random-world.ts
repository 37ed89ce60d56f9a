import { ALL_PERMISSIONS, Permission } from '@gatehouse/chat-client/permissions';
import { Fault } from '@gatehouse/kit/fault';
import { addAccount, newId } from '../support/guilds.ts';
import { as, messageOf } from '../support/requests.ts';
import type { ChatClient, ChatFixture } from '../support/start-chat.ts';

const pick = <T>(from: readonly T[]): T => from[Math.floor(Math.random() * from.length)] as T;
const chance = (of: number): boolean => Math.random() < of;
const SAME_PROFILE = { avatar: null, banner: null, pronouns: null, accent_color: null };
const { VIEW_CHANNEL, SEND_MESSAGES, ADMINISTRATOR, MANAGE_CHANNELS } = Permission;

const bits = (): string => String(BigInt(Math.floor(Math.random() * 2 ** 30)) & ALL_PERMISSIONS);
const view = () =>
  chance(0.5) ? { allow: String(VIEW_CHANNEL) } : { deny: String(VIEW_CHANNEL | SEND_MESSAGES) };

interface RandomGuild {
  owner: string;
  channels: string[];
  categories: string[];
  roles: string[];
  code?: string;
}

interface PostedMessage {
  readonly author: string;
  readonly channel_id: string;
  readonly message_id: string;
}

/** The random objects of one step. */
interface Scene {
  readonly chat: ChatClient;
  readonly guild_id: string;
  readonly guild: RandomGuild;
  readonly owner: string;
  /** Call options of the owner. */
  readonly by: ReturnType<typeof as>;
  readonly person: string;
  readonly channel_id: string;
  readonly role_id: string;
  readonly old: PostedMessage | undefined;
  /** A group DM. */
  readonly group: string;
}

/** The possible steps with their weights. */
type Steps = Record<string, [weight: number, run: () => Promise<unknown>]>;

/** Guilds and private channels with random actions, many of which are refused. */
export class RandomWorld {
  readonly fixture: ChatFixture;
  readonly people: readonly string[];
  readonly guilds = new Map<string, RandomGuild>();
  readonly groups: string[] = [];
  readonly messages: PostedMessage[] = [];
  /** How often each action succeeded. */
  readonly done: Record<string, number> = {};
  readonly unexpected: unknown[] = [];

  constructor(fixture: ChatFixture, people: readonly string[]) {
    this.fixture = fixture;
    this.people = people;
  }

  async createGuild(chat: ChatClient): Promise<void> {
    const owner = pick(this.people);
    const { guild } = await chat.createGuild({ name: 'Guild' }, as(owner));
    const guild_id = guild?.id ?? '';
    const { channels } = await chat.listGuildChannels({ guild_id }, as(owner));
    const [general] = channels.map(({ id }) => id);
    const { invite } = await chat.createInvite({ channel_id: general ?? '' }, as(owner));
    this.guilds.set(guild_id, {
      owner,
      channels: channels.map(({ id }) => id),
      categories: [],
      roles: [],
      ...(invite && { code: invite.code }),
    });
    for (const one of this.people)
      if (chance(0.6)) await chat.acceptInvite({ code: invite?.code ?? '' }, as(one));
  }

  async step(chat: ChatClient): Promise<void> {
    const [guild_id, guild] = pick([...this.guilds]);
    const scene: Scene = {
      chat,
      guild_id,
      guild,
      owner: guild.owner,
      by: as(guild.owner),
      person: pick(this.people),
      channel_id: pick(guild.channels) ?? '1',
      role_id: pick(guild.roles) ?? '1',
      old: pick(this.messages),
      group: pick(this.groups) ?? '1',
    };
    const steps: Steps = {
      ...this.#messageSteps(scene),
      ...this.#memberSteps(scene),
      ...this.#roleSteps(scene),
      ...this.#channelSteps(scene),
      ...this.#overwriteSteps(scene),
      ...this.#guildSteps(scene),
      ...this.#privateSteps(scene),
    };
    let left = Math.random() * Object.values(steps).reduce((sum, [weight]) => sum + weight, 0);
    for (const [name, [weight, run]] of Object.entries(steps)) {
      left -= weight;
      if (left > 0) continue;
      this.done[name] ??= 0;
      try {
        await run();
        this.done[name]++;
      } catch (error) {
        const isRefusal = error instanceof Fault && error.reason !== 'INTERNAL_SERVER_ERROR';
        if (!isRefusal) this.unexpected.push(`${name}: ${error}`);
      }
      return;
    }
  }

  #messageSteps({ chat, owner, person, channel_id, old }: Scene): Steps {
    return {
      createMessage: [
        10,
        async () => {
          const author = chance(0.5) ? owner : person;
          const { message } = await chat.createMessage(messageOf(channel_id, 'm'), as(author));
          this.messages.push({ author, channel_id, message_id: message?.id ?? '' });
        },
      ],
      updateMessage: [
        3,
        () =>
          chat.updateMessage(
            {
              channel_id: old?.channel_id ?? '1',
              message_id: old?.message_id ?? '1',
              content: { value: newId() },
            },
            as(old?.author ?? owner),
          ),
      ],
      deleteMessage: [
        1,
        () =>
          chat.deleteMessage(
            { channel_id: old?.channel_id ?? '1', message_id: old?.message_id ?? '1' },
            as(old?.author ?? owner),
          ),
      ],
      createWebhookMessage: [
        3,
        () =>
          chat.createWebhookMessage(
            { webhook_id: '77', channel_id, username: 'Deploys', embeds: [], content: 'w' },
            { timeoutMs: 20_000 },
          ),
      ],
    };
  }

  #memberSteps({ chat, guild_id, guild, by, person, role_id }: Scene): Steps {
    return {
      acceptInvite: [3, () => chat.acceptInvite({ code: guild.code ?? '' }, as(person))],
      leaveGuild: [1, () => chat.leaveGuild({ guild_id }, as(person))],
      removeMember: [1, () => chat.removeMember({ guild_id, user_id: person }, by)],
      addMemberRole: [4, () => chat.addMemberRole({ guild_id, user_id: person, role_id }, by)],
      removeMemberRole: [1, () => chat.removeMemberRole({ guild_id, user_id: person, role_id }, by)],
      updateMember: [
        1,
        () =>
          chat.updateMember(
            {
              guild_id,
              user_id: person,
              nick: { value: newId() },
              roles: { items: guild.roles.filter(() => chance(0.3)) },
            },
            by,
          ),
      ],
      updateOwnMember: [
        1,
        () =>
          chat.updateOwnMember(
            { guild_id, ...SAME_PROFILE, nick: { value: chance(0.5) ? 'n' : null }, bio: { value: newId() } },
            as(person),
          ),
      ],
      createInvite: [0.5, () => chat.createInvite({ channel_id: guild.channels[0] ?? '1', max_uses: 1 }, by)],
      installBot: [
        0.5,
        () =>
          chat.installBot(
            {
              bot_id: addAccount(this.fixture),
              application_name: 'B',
              guild_id,
              permissions: String(MANAGE_CHANNELS),
            },
            by,
          ),
      ],
    };
  }

  #roleSteps({ chat, guild_id, guild, by, role_id }: Scene): Steps {
    return {
      createRole: [
        1,
        async () => {
          const { role } = await chat.createRole({ guild_id, permissions: bits() }, by);
          guild.roles.push(role?.id ?? '');
        },
      ],
      updateRole: [
        2,
        () =>
          chat.updateRole(
            {
              guild_id,
              role_id: chance(0.3) ? guild_id : role_id,
              permissions: chance(0.2) ? String(ADMINISTRATOR) : bits(),
            },
            by,
          ),
      ],
      deleteRole: [
        0.4,
        async () => {
          await chat.deleteRole({ guild_id, role_id }, by);
          guild.roles = guild.roles.filter((id) => id !== role_id);
        },
      ],
      updateRolePositions: [
        0.5,
        () =>
          chat.updateRolePositions(
            { guild_id, positions: [{ id: role_id, position: 1 + Math.floor(Math.random() * 5) }] },
            by,
          ),
      ],
    };
  }

  #channelSteps({ chat, guild_id, guild, by, channel_id }: Scene): Steps {
    return {
      createChannel: [
        1,
        async () => {
          const type = pick([0, 0, 2, 4, 4]);
          const { channel } = await chat.createChannel(
            {
              guild_id,
              name: 'c',
              type,
              permission_overwrites: chance(0.5) ? [{ id: guild_id, type: 0, ...view() }] : [],
            },
            by,
          );
          (type === 4 ? guild.categories : guild.channels).push(channel?.id ?? '');
        },
      ],
      updateChannel: [
        2,
        () =>
          chat.updateChannel(
            {
              channel_id,
              name: newId(),
              topic: { value: newId() },
              parent_id: chance(0.8) ? { value: pick(guild.categories) ?? null } : null,
            },
            by,
          ),
      ],
      updateChannelPositions: [
        0.5,
        () =>
          chat.updateChannelPositions(
            { guild_id, positions: [{ id: channel_id, position: Math.floor(Math.random() * 9) }] },
            by,
          ),
      ],
      deleteChannel: [
        0.4,
        async () => {
          if (guild.channels.length < 3 || channel_id === guild.channels[0]) return;
          await chat.deleteChannel({ channel_id }, by);
          guild.channels = guild.channels.filter((id) => id !== channel_id);
        },
      ],
      deleteCategory: [
        0.5,
        async () => {
          const category = pick(guild.categories) ?? '1';
          await chat.deleteChannel({ channel_id: category }, by);
          guild.categories = guild.categories.filter((id) => id !== category);
        },
      ],
    };
  }

  #overwriteSteps({ chat, guild_id, by, person, channel_id, role_id }: Scene): Steps {
    return {
      clearOverwrites: [
        0.5,
        () =>
          chat.updateChannel(
            {
              channel_id,
              topic: null,
              parent_id: null,
              permission_overwrites: { items: [{ id: person, type: 1, ...view() }] },
            },
            by,
          ),
      ],
      putOverwrite: [
        4,
        () =>
          chance(0.5)
            ? chat.putOverwrite({ channel_id, overwrite_id: person, type: 1, ...view() }, by)
            : chat.putOverwrite(
                { channel_id, overwrite_id: chance(0.3) ? guild_id : role_id, type: 0, ...view() },
                by,
              ),
      ],
      deleteOverwrite: [
        2,
        () => chat.deleteOverwrite({ channel_id, overwrite_id: pick([person, role_id, guild_id]) }, by),
      ],
    };
  }

  #guildSteps({ chat, guild_id, guild, by, person }: Scene): Steps {
    return {
      updateGuild: [0.5, () => chat.updateGuild({ guild_id, name: newId(), icon: null }, by)],
      transferGuild: [
        0.4,
        async () => {
          await chat.updateGuild({ guild_id, owner_id: person, icon: null }, by);
          guild.owner = person;
        },
      ],
      createGuild: [0.1, () => this.createGuild(chat)],
      deleteGuild: [
        0.2,
        async () => {
          if (this.guilds.size < 3) return;
          await chat.deleteGuild({ guild_id }, by);
          this.guilds.delete(guild_id);
        },
      ],
    };
  }

  #privateSteps({ chat, owner, person, group }: Scene): Steps {
    return {
      openDirect: [1, () => chat.openPrivateChannel({ recipients: [person] }, as(owner))],
      closeDirect: [
        1,
        async () => {
          const { channel } = await chat.openPrivateChannel({ recipients: [person] }, as(owner));
          await chat.deleteChannel({ channel_id: channel?.id ?? '' }, as(person));
        },
      ],
      messageDirect: [
        2,
        async () => {
          const { channel } = await chat.openPrivateChannel({ recipients: [person] }, as(owner));
          await chat.createMessage(messageOf(channel?.id ?? '', 'd'), as(owner));
        },
      ],
      openGroup: [
        0.5,
        async () => {
          const recipients = this.people.filter((id) => id !== owner && chance(0.5)).slice(0, 9);
          if (recipients.length < 2) return;
          const { channel } = await chat.openPrivateChannel({ recipients }, as(owner));
          this.groups.push(channel?.id ?? '');
        },
      ],
      addRecipient: [2, () => chat.addRecipient({ channel_id: group, user_id: person }, as(owner))],
      removeRecipient: [1, () => chat.removeRecipient({ channel_id: group, user_id: person }, as(owner))],
      leaveGroup: [1, () => chat.deleteChannel({ channel_id: group }, as(person))],
      renameGroup: [
        1,
        () =>
          chat.updateChannel({ channel_id: group, name: newId(), topic: null, parent_id: null }, as(person)),
      ],
      messageGroup: [2, () => chat.createMessage(messageOf(group, 'g'), as(person))],
    };
  }
}
