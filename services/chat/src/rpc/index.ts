import type { Handlers } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { acceptInvite } from './accept-invite.ts';
import { addMemberRole } from './add-member-role.ts';
import { authorizeWebhooks } from './authorize-webhooks.ts';
import { createGuild } from './create-guild.ts';
import { createInvite } from './create-invite.ts';
import { createMessage } from './create-message.ts';
import { createRole } from './create-role.ts';
import { createWebhookMessage } from './create-webhook-message.ts';
import { deleteGuild } from './delete-guild.ts';
import { deleteInvite } from './delete-invite.ts';
import { deleteRole } from './delete-role.ts';
import { getChannel } from './get-channel.ts';
import { getGuild } from './get-guild.ts';
import { getInvite } from './get-invite.ts';
import { getMember } from './get-member.ts';
import { getMessage } from './get-message.ts';
import { getWebhookMessage } from './get-webhook-message.ts';
import { leaveGuild } from './leave-guild.ts';
import { listGuildChannels } from './list-guild-channels.ts';
import { listGuilds } from './list-guilds.ts';
import { listInvites } from './list-invites.ts';
import { listMembers } from './list-members.ts';
import { listMessages } from './list-messages.ts';
import { listRoles } from './list-roles.ts';
import { removeMember } from './remove-member.ts';
import { removeMemberRole } from './remove-member-role.ts';
import { updateGuild } from './update-guild.ts';
import { updateMember } from './update-member.ts';
import { updateOwnMember } from './update-own-member.ts';
import { updateRole } from './update-role.ts';
import { updateRolePositions } from './update-role-positions.ts';

/** Every RPC of the service. */
export const chatHandlers = (deps: Deps): Handlers<typeof ChatServiceDefinition> =>
  othersUnimplemented({
    acceptInvite: acceptInvite(deps),
    addMemberRole: addMemberRole(deps),
    authorizeWebhooks: authorizeWebhooks(deps),
    createGuild: createGuild(deps),
    createInvite: createInvite(deps),
    createMessage: createMessage(deps),
    createWebhookMessage: createWebhookMessage(deps),
    createRole: createRole(deps),
    deleteGuild: deleteGuild(deps),
    deleteInvite: deleteInvite(deps),
    deleteRole: deleteRole(deps),
    getChannel: getChannel(deps),
    getGuild: getGuild(deps),
    getInvite: getInvite(deps),
    getMember: getMember(deps),
    getMessage: getMessage(deps),
    getWebhookMessage: getWebhookMessage(deps),
    leaveGuild: leaveGuild(deps),
    listGuildChannels: listGuildChannels(deps),
    listGuilds: listGuilds(deps),
    listInvites: listInvites(deps),
    listMembers: listMembers(deps),
    listMessages: listMessages(deps),
    listRoles: listRoles(deps),
    removeMember: removeMember(deps),
    removeMemberRole: removeMemberRole(deps),
    updateGuild: updateGuild(deps),
    updateMember: updateMember(deps),
    updateOwnMember: updateOwnMember(deps),
    updateRole: updateRole(deps),
    updateRolePositions: updateRolePositions(deps),
  });

function othersUnimplemented(
  handlers: Partial<Handlers<typeof ChatServiceDefinition>>,
): Handlers<typeof ChatServiceDefinition> {
  const absent = () => {
    throw new Error('not implemented');
  };
  return new Proxy(handlers, {
    get: (target, name) => Reflect.get(target, name) ?? absent,
  }) as Handlers<typeof ChatServiceDefinition>;
}
