import {
  API,
  type APIGuild,
  type APIGuildMember,
  type APIInvite,
  type APIMessage,
  type APIRole,
  type APITextChannel,
  type APIUser,
  ChannelType,
  OverwriteType,
} from '@discordjs/core/http-only';
import { REST } from '@discordjs/rest';
import { describe, expect, it } from 'vitest';
import type {
  Application,
  Channel,
  Guild,
  Invite,
  Member,
  Message,
  Role,
  User,
} from '../../support/objects.ts';
import { newcomer, type Person } from '../../support/people.ts';
import type { TestStack } from '../../support/stack.ts';

/** The members common to the client's type and the API's response. */
type Shared<Theirs, Ours> = Pick<Theirs, Extract<keyof Theirs, keyof Ours>>;

/** The compiler checks, member by member, that the API's documented types match the client's. */
export const accepted = {
  user: (ours: User): Shared<APIUser, User> => ours,
  guild: ({ features: _, ...ours }: Guild): Omit<Shared<APIGuild, Guild>, 'features' | 'roles'> => ours,
  role: (ours: Role): Shared<APIRole, Role> => ours,
  member: (ours: Member): Omit<Shared<APIGuildMember, Member>, 'user'> => ours,
  channel: (ours: Channel): Omit<Shared<APITextChannel, Channel>, 'type'> => ours,
  invite: (ours: Invite): Shared<APIInvite, Invite> => ours,
};

const ID = expect.stringMatching(/^[1-9]\d{0,18}$/);
const TIME = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
const BITS = expect.stringMatching(/^(0|[1-9]\d*)$/);
const text = expect.any(String);
const number = expect.any(Number);
const boolean = expect.any(Boolean);
const list = expect.any(Array);
/** A nullable member. */
const nullable = (value: { asymmetricMatch(found: unknown): boolean }) => ({
  asymmetricMatch: (found: unknown) => found === null || value.asymmetricMatch(found),
});

const USER = {
  id: ID,
  username: text,
  discriminator: text,
  global_name: nullable(text),
  avatar: nullable(text),
  bot: boolean,
} satisfies Record<keyof Shared<APIUser, User>, unknown>;

const ROLE = {
  id: ID,
  name: text,
  color: number,
  position: number,
  hoist: boolean,
  mentionable: boolean,
  permissions: BITS,
} satisfies Record<keyof Shared<APIRole, Role>, unknown>;

const GUILD = {
  id: ID,
  name: text,
  icon: nullable(text),
  owner_id: ID,
  features: list,
  roles: expect.arrayContaining([expect.objectContaining(ROLE)]),
} satisfies Record<keyof Shared<APIGuild, Guild>, unknown>;

const MEMBER = {
  user: USER,
  nick: nullable(text),
  avatar: nullable(text),
  banner: nullable(text),
  roles: list,
  joined_at: TIME,
} satisfies Record<keyof Shared<APIGuildMember, Member>, unknown>;

const CHANNEL = {
  id: ID,
  guild_id: ID,
  type: number,
  name: text,
  topic: nullable(text),
  position: number,
  parent_id: nullable(ID),
  rate_limit_per_user: number,
  permission_overwrites: list,
  last_message_id: nullable(ID),
} satisfies Record<keyof Shared<APITextChannel, Channel>, unknown>;

const MESSAGE = {
  id: ID,
  channel_id: ID,
  author: USER,
  type: number,
  flags: number,
  content: text,
  timestamp: TIME,
  edited_timestamp: nullable(TIME),
  mention_everyone: boolean,
  tts: boolean,
  mentions: list,
  mention_roles: list,
  embeds: list,
  attachments: list,
} satisfies Record<keyof Omit<Shared<APIMessage, Message>, 'nonce' | 'webhook_id'>, unknown>;

export function discordCore(stack: TestStack): void {
  /** The client, constructed as a bot author does. */
  const clientOf = (token: string, authPrefix: 'Bearer' | 'Bot') =>
    new API(new REST({ api: `${stack.url}/api`, version: '1', authPrefix }).setToken(token));

  const byBot = async (person: Person) => {
    const made = (await person.api.post('/oauth2/applications', { name: 'Keeper' })).json<Application>();
    return clientOf(made.bot.token, 'Bot');
  };
  const bySession = async ({ token }: Person) => clientOf(token, 'Bearer');

  describe.each([
    ['a bot token', byBot],
    ['a session', bySession],
  ])('@discordjs/core over @discordjs/rest with %s', (_, clientFor) => {
    const open = async () => {
      const client = await clientFor(await newcomer(stack.api));
      const guild = await client.guilds.create({ name: 'Workshop' });
      const guest = await newcomer(stack.api);
      return { client, guild, guest };
    };
    const channelsOf = async (client: API, { id }: APIGuild) => client.guilds.getChannels(id);
    const join = async (client: API, guild: APIGuild, guest: Person): Promise<void> => {
      const [channel] = await channelsOf(client, guild);
      const { code } = await client.channels.createInvite(channel?.id ?? '', {});
      expect((await guest.api.post(`/invites/${code}`)).status).toBe(200);
    };

    it('creates, edits, lists and deletes channels', async () => {
      const { client, guild } = await open();
      expect(guild).toMatchObject(GUILD);
      const made = await client.guilds.createChannel(guild.id, {
        name: 'news',
        type: ChannelType.GuildText,
        topic: 'What is new',
        permission_overwrites: [{ id: guild.id, type: OverwriteType.Role, allow: '0', deny: '2048' }],
      });
      expect(made).toMatchObject({ ...CHANNEL, name: 'news', topic: 'What is new' });
      const edited = await client.channels.edit(made.id, { name: 'olds', rate_limit_per_user: 5 });
      expect(edited).toMatchObject({ ...CHANNEL, name: 'olds', rate_limit_per_user: 5 });
      await client.channels.editPermissionOverwrite(made.id, guild.id, { type: 0, allow: '0', deny: '1024' });
      expect(await client.channels.get(made.id)).toMatchObject({
        permission_overwrites: [{ id: guild.id, type: OverwriteType.Role, allow: '0', deny: '1024' }],
      });
      await client.channels.deletePermissionOverwrite(made.id, guild.id);
      const listed = await channelsOf(client, guild);
      expect(listed.map(({ name }) => name).sort()).toEqual(['general', 'olds']);
      for (const channel of listed) expect(channel).toMatchObject(CHANNEL);
      await client.channels.delete(made.id, { reason: 'no news' });
      expect(await channelsOf(client, guild)).toHaveLength(1);
      const { audit_log_entries } = await client.guilds.getAuditLogs(guild.id, { limit: 1 });
      expect(audit_log_entries).toMatchObject([{ action_type: 12, target_id: made.id, reason: 'no news' }]);
    });

    it('creates, edits, lists and deletes roles, and edits the guild', async () => {
      const { client, guild } = await open();
      const role = await client.guilds.createRole(guild.id, {
        name: 'helper',
        permissions: '1024',
        hoist: true,
      });
      expect(role).toMatchObject({ ...ROLE, name: 'helper', permissions: '1024', hoist: true });
      const edited = await client.guilds.editRole(guild.id, role.id, { name: 'helpers', color: 0x99aab5 });
      expect(edited).toMatchObject({ ...ROLE, name: 'helpers', color: 0x99aab5 });
      const roles = await client.guilds.getRoles(guild.id);
      expect(roles.map(({ name }) => name).sort()).toEqual(['@everyone', 'helpers']);
      for (const each of roles) expect(each).toMatchObject(ROLE);
      await client.guilds.deleteRole(guild.id, role.id);
      expect(await client.guilds.getRoles(guild.id)).toHaveLength(1);
      expect(await client.guilds.edit(guild.id, { name: 'Studio' })).toMatchObject({
        ...GUILD,
        name: 'Studio',
      });
      expect(await client.guilds.get(guild.id)).toMatchObject({ ...GUILD, name: 'Studio' });
    });

    it('lists and edits members, adds and removes their roles, and removes members', async () => {
      const { client, guild, guest } = await open();
      await join(client, guild, guest);
      const { id } = guest.user;
      const role = await client.guilds.createRole(guild.id, { name: 'helper' });
      await client.guilds.addRoleToMember(guild.id, id, role.id);
      expect(await client.guilds.getMember(guild.id, id)).toMatchObject({ ...MEMBER, roles: [role.id] });
      await client.guilds.removeRoleFromMember(guild.id, id, role.id);
      const members = await client.guilds.getMembers(guild.id, { limit: 10 });
      expect(members).toHaveLength(2);
      for (const member of members) expect(member).toMatchObject({ ...MEMBER, roles: [] });
      const self = await client.users.editCurrentGuildMember(guild.id, { nick: 'Boss' });
      expect(self).toMatchObject({ ...MEMBER, nick: 'Boss' });
      await client.guilds.removeMember(guild.id, id, { reason: 'bye' });
      expect(await client.guilds.getMembers(guild.id)).toHaveLength(1);
    });

    it('creates, reads, lists and deletes invites as its credential permits', async () => {
      const { client, guild } = await open();
      const [channel] = await channelsOf(client, guild);
      const { id = '' } = channel ?? {};
      const { code } = await client.channels.createInvite(id, {});
      expect(await client.invites.get(code)).toMatchObject({ code });
      expect(await client.channels.getInvites(id)).toMatchObject([{ code }]);
      if (clientFor === byBot) {
        await expect(client.invites.delete(code)).rejects.toMatchObject({
          status: 403,
          code: 'ACCESS_DENIED',
        });
      } else {
        await client.invites.delete(code);
        await expect(client.invites.get(code)).rejects.toMatchObject({ status: 404, code: 'UNKNOWN_INVITE' });
      }
    });

    it('posts, edits, lists and deletes messages', async () => {
      const { client, guild } = await open();
      const [channel] = await channelsOf(client, guild);
      const { id = '' } = channel ?? {};
      const embeds = [{ title: 'Release', fields: [{ name: 'Tests', value: 'all pass' }] }];
      const sent = await client.channels.createMessage(id, { content: 'hello', embeds });
      expect(sent).toMatchObject({ ...MESSAGE, content: 'hello', edited_timestamp: null });
      const edited = await client.channels.editMessage(id, sent.id, { content: 'hello again' });
      expect(edited).toMatchObject({ ...MESSAGE, content: 'hello again', edited_timestamp: TIME });
      expect(await client.channels.getMessage(id, sent.id)).toEqual(edited);
      const second = await client.channels.createMessage(id, { content: 'and more' });
      const listed = await client.channels.getMessages(id, { limit: 5 });
      expect(listed.map((each) => each.id)).toEqual([second.id, sent.id]);
      for (const message of listed) expect(message).toMatchObject(MESSAGE);
      await client.channels.deleteMessage(id, sent.id, { reason: 'typo' });
      expect(await client.channels.getMessages(id)).toHaveLength(1);
      await expect(client.channels.getMessage(id, sent.id)).rejects.toMatchObject({ status: 404 });
    });
  });
}
