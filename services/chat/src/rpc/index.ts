import type { Handlers } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import {
  ofAuditLog,
  ofDeletedChannel,
  ofEvents,
  ofGuild,
  ofGuildStates,
  ofGuilds,
  ofInvitedGuild,
  ofInvites,
  ofMembers,
  ofMessages,
  ofPrivateChannels,
  ofWrittenGuild,
} from '../long-answers/answer-bytes.ts';
import { inTurn } from '../long-answers/in-turn.ts';
import { acceptInvite } from './accept-invite.ts';
import { addMemberRole } from './add-member-role.ts';
import { addRecipient } from './add-recipient.ts';
import { authorizeWebhooks } from './authorize-webhooks.ts';
import { createChannel } from './create-channel.ts';
import { createGuild } from './create-guild.ts';
import { createInvite } from './create-invite.ts';
import { createMessage } from './create-message.ts';
import { createRole } from './create-role.ts';
import { createWebhookMessage } from './create-webhook-message.ts';
import { deleteChannel } from './delete-channel.ts';
import { deleteGuild } from './delete-guild.ts';
import { deleteInvite } from './delete-invite.ts';
import { deleteMessage } from './delete-message.ts';
import { deleteOverwrite } from './delete-overwrite.ts';
import { deleteRole } from './delete-role.ts';
import { deleteWebhookMessage } from './delete-webhook-message.ts';
import { findNamedAvatars } from './find-named-avatars.ts';
import { getChannel } from './get-channel.ts';
import { getEvents } from './get-events.ts';
import { getGuild } from './get-guild.ts';
import { getGuildStates } from './get-guild-states.ts';
import { getInvite } from './get-invite.ts';
import { getMember } from './get-member.ts';
import { getMessage } from './get-message.ts';
import { getSlowmode } from './get-slowmode.ts';
import { getWebhookMessage } from './get-webhook-message.ts';
import { installBot } from './install-bot.ts';
import { leaveGuild } from './leave-guild.ts';
import { listAuditLog } from './list-audit-log.ts';
import { listGuildChannels } from './list-guild-channels.ts';
import { listGuilds } from './list-guilds.ts';
import { listInvites } from './list-invites.ts';
import { listMembers } from './list-members.ts';
import { listMessages } from './list-messages.ts';
import { listPrivateChannels } from './list-private-channels.ts';
import { listRoles } from './list-roles.ts';
import { listWebhookChannels } from './list-webhook-channels.ts';
import { openPrivateChannel } from './open-private-channel.ts';
import { putOverwrite } from './put-overwrite.ts';
import { readEvents } from './read-events.ts';
import { recordWebhookChange } from './record-webhook-change.ts';
import { removeBot } from './remove-bot.ts';
import { removeMember } from './remove-member.ts';
import { removeMemberRole } from './remove-member-role.ts';
import { removeRecipient } from './remove-recipient.ts';
import { updateChannel } from './update-channel.ts';
import { updateChannelPositions } from './update-channel-positions.ts';
import { updateGuild } from './update-guild.ts';
import { updateMember } from './update-member.ts';
import { updateMessage } from './update-message.ts';
import { updateOwnMember } from './update-own-member.ts';
import { updateRole } from './update-role.ts';
import { updateRolePositions } from './update-role-positions.ts';
import { updateWebhookMessage } from './update-webhook-message.ts';

/** Every RPC of the service. */
export const chatHandlers = (deps: Deps): Handlers<typeof ChatServiceDefinition> => ({
  acceptInvite: inTurn(deps, ofInvitedGuild, acceptInvite(deps)),
  addMemberRole: addMemberRole(deps),
  addRecipient: addRecipient(deps),
  authorizeWebhooks: authorizeWebhooks(deps),
  createChannel: createChannel(deps),
  createGuild: createGuild(deps),
  createInvite: createInvite(deps),
  createMessage: createMessage(deps),
  createRole: createRole(deps),
  createWebhookMessage: createWebhookMessage(deps),
  deleteChannel: inTurn(deps, ofDeletedChannel, deleteChannel(deps)),
  deleteGuild: deleteGuild(deps),
  deleteInvite: deleteInvite(deps),
  deleteMessage: deleteMessage(deps),
  deleteOverwrite: deleteOverwrite(deps),
  deleteRole: deleteRole(deps),
  deleteWebhookMessage: deleteWebhookMessage(deps),
  getChannel: getChannel(deps),
  getEvents: inTurn(deps, ofEvents, getEvents(deps)),
  getGuildStates: inTurn(deps, ofGuildStates, getGuildStates(deps)),
  getGuild: getGuild(deps),
  getInvite: getInvite(deps),
  getMember: getMember(deps),
  getMessage: getMessage(deps),
  getSlowmode: getSlowmode(deps),
  getWebhookMessage: getWebhookMessage(deps),
  installBot: inTurn(deps, ofWrittenGuild, installBot(deps)),
  leaveGuild: leaveGuild(deps),
  listAuditLog: inTurn(deps, ofAuditLog, listAuditLog(deps)),
  listGuildChannels: inTurn(deps, ofGuild, listGuildChannels(deps)),
  listGuilds: inTurn(deps, ofGuilds, listGuilds(deps)),
  listInvites: inTurn(deps, ofInvites, listInvites(deps)),
  listMembers: inTurn(deps, ofMembers, listMembers(deps)),
  listMessages: inTurn(deps, ofMessages, listMessages(deps)),
  listPrivateChannels: inTurn(deps, ofPrivateChannels, listPrivateChannels(deps)),
  listRoles: listRoles(deps),
  listWebhookChannels: inTurn(deps, ofGuild, listWebhookChannels(deps)),
  openPrivateChannel: openPrivateChannel(deps),
  putOverwrite: putOverwrite(deps),
  readEvents: readEvents(deps),
  recordWebhookChange: recordWebhookChange(deps),
  findNamedAvatars: findNamedAvatars(deps),
  removeBot: removeBot(deps),
  removeMemberRole: removeMemberRole(deps),
  removeMember: removeMember(deps),
  removeRecipient: removeRecipient(deps),
  updateChannelPositions: inTurn(deps, ofWrittenGuild, updateChannelPositions(deps)),
  updateChannel: updateChannel(deps),
  updateGuild: updateGuild(deps),
  updateMember: updateMember(deps),
  updateMessage: updateMessage(deps),
  updateOwnMember: updateOwnMember(deps),
  updateRolePositions: updateRolePositions(deps),
  updateRole: updateRole(deps),
  updateWebhookMessage: updateWebhookMessage(deps),
});
