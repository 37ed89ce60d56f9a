import type { Handlers } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { ChatAdminServiceDefinition } from '@gatehouse/proto/chat-admin';
import type { Deps } from '../deps.ts';
import {
  auditLogSize,
  deletedChannelSize,
  eventsSize,
  guildListSize,
  guildSize,
  guildStatesSize,
  invitedGuildSize,
  invitesSize,
  membersSize,
  messagesSize,
  privateChannelsSize,
  writtenGuildSize,
} from '../long-answers/answer-sizes.ts';
import { inTurn } from '../long-answers/in-turn.ts';
import { disableGuild } from './admin/disable-guild.ts';
import { enableGuild } from './admin/enable-guild.ts';
import { findGuilds } from './admin/find-guilds.ts';
import { getAdminGuild } from './admin/get-admin-guild.ts';
import { listAccountGuilds } from './admin/list-account-guilds.ts';
import { listGuildAuditLog } from './admin/list-guild-audit-log.ts';
import { countBotGuilds } from './bots/count-bot-guilds.ts';
import { installBot } from './bots/install-bot.ts';
import { listGuildBots } from './bots/list-guild-bots.ts';
import { removeBot } from './bots/remove-bot.ts';
import { createChannel } from './channels/create-channel.ts';
import { deleteChannel } from './channels/delete-channel.ts';
import { deleteOverwrite } from './channels/delete-overwrite.ts';
import { getChannel } from './channels/get-channel.ts';
import { getSlowmode } from './channels/get-slowmode.ts';
import { listGuildChannels } from './channels/list-guild-channels.ts';
import { putOverwrite } from './channels/put-overwrite.ts';
import { updateChannel } from './channels/update-channel.ts';
import { updateChannelPositions } from './channels/update-channel-positions.ts';
import { getEvents } from './events/get-events.ts';
import { getGuildStates } from './events/get-guild-states.ts';
import { readEvents } from './events/read-events.ts';
import { createGuild } from './guilds/create-guild.ts';
import { deleteGuild } from './guilds/delete-guild.ts';
import { getGuild } from './guilds/get-guild.ts';
import { leaveGuild } from './guilds/leave-guild.ts';
import { listAuditLog } from './guilds/list-audit-log.ts';
import { listGuilds } from './guilds/list-guilds.ts';
import { updateGuild } from './guilds/update-guild.ts';
import { acceptInvite } from './invites/accept-invite.ts';
import { createInvite } from './invites/create-invite.ts';
import { deleteInvite } from './invites/delete-invite.ts';
import { getInvite } from './invites/get-invite.ts';
import { listInvites } from './invites/list-invites.ts';
import { addMemberRole } from './members/add-member-role.ts';
import { exportAccount } from './members/export-account.ts';
import { getMember } from './members/get-member.ts';
import { listMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import { removeMemberRole } from './members/remove-member-role.ts';
import { updateMember } from './members/update-member.ts';
import { updateOwnMember } from './members/update-own-member.ts';
import { createMessage } from './messages/create-message.ts';
import { deleteMessage } from './messages/delete-message.ts';
import { getMessage } from './messages/get-message.ts';
import { listMessages } from './messages/list-messages.ts';
import { updateMessage } from './messages/update-message.ts';
import { addRecipient } from './private-channels/add-recipient.ts';
import { listPrivateChannels } from './private-channels/list-private-channels.ts';
import { openPrivateChannel } from './private-channels/open-private-channel.ts';
import { removeRecipient } from './private-channels/remove-recipient.ts';
import { createRole } from './roles/create-role.ts';
import { deleteRole } from './roles/delete-role.ts';
import { listRoles } from './roles/list-roles.ts';
import { updateRole } from './roles/update-role.ts';
import { updateRolePositions } from './roles/update-role-positions.ts';
import { authorizeWebhooks } from './webhooks/authorize-webhooks.ts';
import { createWebhookMessage } from './webhooks/create-webhook-message.ts';
import { deleteWebhookMessage } from './webhooks/delete-webhook-message.ts';
import { fenceWebhooks } from './webhooks/fence-webhooks.ts';
import { findNamedAvatars } from './webhooks/find-named-avatars.ts';
import { getWebhookMessage } from './webhooks/get-webhook-message.ts';
import { listWebhookChannels } from './webhooks/list-webhook-channels.ts';
import { recordWebhookChange } from './webhooks/record-webhook-change.ts';
import { updateWebhookMessage } from './webhooks/update-webhook-message.ts';

/** Every RPC of the service. */
export const chatHandlers = (deps: Deps): Handlers<typeof ChatServiceDefinition> => ({
  acceptInvite: inTurn(deps, invitedGuildSize, acceptInvite(deps)),
  addMemberRole: addMemberRole(deps),
  addRecipient: addRecipient(deps),
  authorizeWebhooks: authorizeWebhooks(deps),
  createChannel: createChannel(deps),
  createGuild: createGuild(deps),
  createInvite: createInvite(deps),
  createMessage: createMessage(deps),
  createRole: createRole(deps),
  createWebhookMessage: createWebhookMessage(deps),
  deleteChannel: inTurn(deps, deletedChannelSize, deleteChannel(deps)),
  deleteGuild: deleteGuild(deps),
  deleteInvite: deleteInvite(deps),
  deleteMessage: deleteMessage(deps),
  deleteOverwrite: deleteOverwrite(deps),
  deleteRole: deleteRole(deps),
  deleteWebhookMessage: deleteWebhookMessage(deps),
  getChannel: getChannel(deps),
  getEvents: inTurn(deps, eventsSize, getEvents(deps)),
  getGuildStates: inTurn(deps, guildStatesSize, getGuildStates(deps)),
  getGuild: getGuild(deps),
  getInvite: getInvite(deps),
  getMember: getMember(deps),
  getMessage: getMessage(deps),
  getSlowmode: getSlowmode(deps),
  getWebhookMessage: getWebhookMessage(deps),
  installBot: inTurn(deps, writtenGuildSize, installBot(deps)),
  leaveGuild: leaveGuild(deps),
  listAuditLog: inTurn(deps, auditLogSize, listAuditLog(deps)),
  listGuildBots: listGuildBots(deps),
  listGuildChannels: inTurn(deps, guildSize, listGuildChannels(deps)),
  listGuilds: inTurn(deps, guildListSize, listGuilds(deps)),
  listInvites: inTurn(deps, invitesSize, listInvites(deps)),
  listMembers: inTurn(deps, membersSize, listMembers(deps)),
  listMessages: inTurn(deps, messagesSize, listMessages(deps)),
  listPrivateChannels: inTurn(deps, privateChannelsSize, listPrivateChannels(deps)),
  listRoles: listRoles(deps),
  listWebhookChannels: inTurn(deps, guildSize, listWebhookChannels(deps)),
  openPrivateChannel: openPrivateChannel(deps),
  putOverwrite: putOverwrite(deps),
  readEvents: readEvents(deps),
  recordWebhookChange: recordWebhookChange(deps),
  fenceWebhooks: fenceWebhooks(deps),
  findNamedAvatars: findNamedAvatars(deps),
  countBotGuilds: countBotGuilds(deps),
  removeBot: removeBot(deps),
  exportAccount: exportAccount(deps),
  removeMemberRole: removeMemberRole(deps),
  removeMember: removeMember(deps),
  removeRecipient: removeRecipient(deps),
  updateChannelPositions: inTurn(deps, writtenGuildSize, updateChannelPositions(deps)),
  updateChannel: updateChannel(deps),
  updateGuild: updateGuild(deps),
  updateMember: updateMember(deps),
  updateMessage: updateMessage(deps),
  updateOwnMember: updateOwnMember(deps),
  updateRolePositions: updateRolePositions(deps),
  updateRole: updateRole(deps),
  updateWebhookMessage: updateWebhookMessage(deps),
});

/** Every RPC for operators. */
export const chatAdminHandlers = (deps: Deps): Handlers<typeof ChatAdminServiceDefinition> => ({
  disableGuild: disableGuild(deps),
  enableGuild: enableGuild(deps),
  findGuilds: findGuilds(deps),
  getAdminGuild: getAdminGuild(deps),
  listAccountGuilds: listAccountGuilds(deps),
  listGuildAuditLog: listGuildAuditLog(deps),
});
