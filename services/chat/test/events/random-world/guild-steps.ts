import { Permission } from '@gatehouse/chat-client/permissions';
import { newId } from '../../support/guilds.ts';
import { as } from '../../support/requests.ts';
import { chance, randomPermissions, type Scene, type Steps } from './scene.ts';

const SAME_PROFILE = { avatar: null, banner: null, pronouns: null, accent_color: null };
const { ADMINISTRATOR, MANAGE_CHANNELS } = Permission;

export function guildSteps({ chat, guild_id, guild, by, person, guilds, createGuild }: Scene): Steps {
  return {
    updateGuild: [0.5, () => chat.updateGuild({ guild_id, name: newId(), icon: null }, by)],
    transferGuild: [
      0.4,
      async () => {
        await chat.updateGuild({ guild_id, owner_id: person, icon: null }, by);
        guild.owner = person;
      },
    ],
    createGuild: [0.1, createGuild],
    deleteGuild: [
      0.2,
      async () => {
        if (guilds.size < 3) return;
        await chat.deleteGuild({ guild_id }, by);
        guilds.delete(guild_id);
      },
    ],
  };
}

export function memberSteps({ chat, guild_id, guild, by, person, role_id, newAccount }: Scene): Steps {
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
            bot_id: newAccount(),
            application_name: 'B',
            guild_id,
            permissions: String(MANAGE_CHANNELS),
          },
          by,
        ),
    ],
  };
}

export function roleSteps({ chat, guild_id, guild, by, role_id }: Scene): Steps {
  return {
    createRole: [
      1,
      async () => {
        const { role } = await chat.createRole({ guild_id, permissions: randomPermissions() }, by);
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
            permissions: chance(0.2) ? String(ADMINISTRATOR) : randomPermissions(),
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
