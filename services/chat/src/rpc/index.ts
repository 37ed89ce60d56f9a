import type { Handlers } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { authorizeWebhooks } from './authorize-webhooks.ts';
import { createGuild } from './create-guild.ts';
import { createMessage } from './create-message.ts';
import { createWebhookMessage } from './create-webhook-message.ts';
import { getChannel } from './get-channel.ts';
import { getGuild } from './get-guild.ts';
import { getMessage } from './get-message.ts';
import { getWebhookMessage } from './get-webhook-message.ts';
import { listGuildChannels } from './list-guild-channels.ts';
import { listMessages } from './list-messages.ts';

/** Every RPC of the service. */
export const chatHandlers = (deps: Deps): Handlers<typeof ChatServiceDefinition> => ({
  createGuild: createGuild(deps),
  getGuild: getGuild(deps),
  listGuildChannels: listGuildChannels(deps),
  getChannel: getChannel(deps),
  createMessage: createMessage(deps),
  listMessages: listMessages(deps),
  getMessage: getMessage(deps),
  authorizeWebhooks: authorizeWebhooks(deps),
  createWebhookMessage: createWebhookMessage(deps),
  getWebhookMessage: getWebhookMessage(deps),
});
