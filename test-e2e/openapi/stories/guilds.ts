import { expectOk } from '../../support/expect-status.ts';
import type { Channel, Guild, Invite, Message, Role } from '../../support/objects.ts';
import { type Character, newCharacter, type World } from './world.ts';

export interface GuildWithChannel {
  readonly guild_id: string;
  /** The channel of the example. */
  readonly channel_id: string;
  /** The channel that every guild begins with. */
  readonly general_id: string;
}

/** Ann makes a guild with a channel. */
export async function guild({ examples }: World, { as }: Character): Promise<GuildWithChannel> {
  const { id: guild_id } = await examples.send<Guild>('createGuild', { as });
  const path = { guild_id };
  await examples.send('getGuild', { as, path });
  await examples.send('updateGuild', { as, path });
  await examples.send('listGuilds', { as });
  const { id: channel_id } = await examples.send<Channel>('createChannel', { as, path });
  const channels = await examples.send<Channel[]>('listGuildChannels', { as, path });
  const positions = [{ id: channel_id }];
  await examples.send('updateChannelPositions', { as, path, body: { positions } });
  await examples.send('getChannel', { as, path: { channel_id } });
  await examples.send('updateChannel', { as, path: { channel_id } });
  const general_id = channels.find(({ name }) => name === 'general')?.id ?? '';
  return { guild_id, channel_id, general_id };
}

/** Roles, overwrites and messages of the guild. */
export async function rolesAndMessages(
  { examples }: World,
  { as }: Character,
  { guild_id, channel_id }: GuildWithChannel,
): Promise<{ readonly role_id: string }> {
  const { id: role_id } = await examples.send<Role>('createRole', { as, path: { guild_id } });
  await examples.send('listRoles', { as, path: { guild_id } });
  await examples.send('updateRole', { as, path: { guild_id, role_id } });
  const positions = [{ id: role_id }];
  await examples.send('updateRolePositions', { as, path: { guild_id }, body: { positions } });
  const overwrite = { channel_id, overwrite_id: role_id };
  await examples.send('putOverwrite', { as, path: overwrite });
  await examples.send('deleteOverwrite', { as, path: overwrite });
  await examples.send('getSlowmode', { as, path: { channel_id } });
  const { id: message_id } = await examples.send<Message>('createMessage', { as, path: { channel_id } });
  await examples.send('listMessages', { as, path: { channel_id } });
  const message = { channel_id, message_id };
  await examples.send('getMessage', { as, path: message });
  await examples.send('updateMessage', { as, path: message });
  await examples.send('deleteMessage', { as, path: message });
  return { role_id };
}

/** Two people join by invites, get a role, and leave. */
export async function members(
  world: World,
  { as, api }: Character,
  { guild_id, channel_id, role_id }: GuildWithChannel & { readonly role_id: string },
): Promise<void> {
  const { examples } = world;
  const [bob, carol] = await Promise.all([newCharacter(world), newCharacter(world)]);
  const { code } = await examples.send<Invite>('createInvite', { as, path: { channel_id } });
  await examples.send('listInvites', { as, path: { channel_id } });
  await examples.send('getInvite', { path: { code } });
  await examples.send('acceptInvite', { as: bob.as, path: { code } });
  const second = await expectOk<Invite>(api.post(`/channels/${channel_id}/invites`, {}));
  await expectOk(carol.api.post(`/invites/${second.code}`));
  await examples.send('deleteInvite', { as, path: { code: second.code } });

  const member = { guild_id, user_id: bob.id };
  await examples.send('listMembers', { as, path: { guild_id } });
  await examples.send('getMember', { as, path: member });
  await examples.send('updateMember', { as, path: member, body: { roles: [role_id] } });
  await examples.send('removeMemberRole', { as, path: { ...member, role_id } });
  await examples.send('addMemberRole', { as, path: { ...member, role_id } });
  await examples.send('updateOwnMember', { as, path: { guild_id } });
  await examples.send('leaveGuild', { as: bob.as, path: { guild_id } });
  await examples.send('removeMember', { as, path: { guild_id, user_id: carol.id } });
  await examples.send('listAuditLog', { as, path: { guild_id } });
  await examples.send('listGuildBots', { as, path: { guild_id } });
}

/** A DM, and a group DM that somebody joins and leaves. */
export async function privateChannels(world: World, { as, api }: Character): Promise<void> {
  const { examples } = world;
  const people = await Promise.all([newCharacter(world), newCharacter(world), newCharacter(world)]);
  const [one, two, late] = people.map(({ id }) => id);
  await examples.send('openPrivateChannel', { as, body: { recipients: [one ?? ''] } });
  const group = await expectOk<Channel>(api.post('/users/@me/channels', { recipients: [one, two] }));
  const recipient = { channel_id: group.id, user_id: late ?? '' };
  await examples.send('addRecipient', { as, path: recipient });
  await examples.send('removeRecipient', { as, path: recipient });
  await examples.send('listPrivateChannels', { as });
}

/** The guild ends, piece by piece. */
export async function guildEnd(
  { examples }: World,
  { as }: Character,
  { guild_id, channel_id, role_id }: GuildWithChannel & { readonly role_id: string },
): Promise<void> {
  await examples.send('deleteRole', { as, path: { guild_id, role_id } });
  await examples.send('deleteChannel', { as, path: { channel_id } });
  await examples.send('deleteGuild', { as, path: { guild_id } });
}
