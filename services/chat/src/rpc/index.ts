import type { Handlers } from '@gatehouse/kit/rpc';
import type { ChatServiceDefinition } from '@gatehouse/proto/chat';
import type { Deps } from '../deps.ts';
import { addRecipient } from './add-recipient.ts';
import { authorizeWebhooks } from './authorize-webhooks.ts';
import { createGuild } from './create-guild.ts';
import { createMessage } from './create-message.ts';
import { createWebhookMessage } from './create-webhook-message.ts';
import { deleteChannel } from './delete-channel.ts';
import { getChannel } from './get-channel.ts';
import { getGuild } from './get-guild.ts';
import { getMessage } from './get-message.ts';
import { getWebhookMessage } from './get-webhook-message.ts';
import { listGuildChannels } from './list-guild-channels.ts';
import { listMessages } from './list-messages.ts';
import { listPrivateChannels } from './list-private-channels.ts';
import { openPrivateChannel } from './open-private-channel.ts';
import { removeRecipient } from './remove-recipient.ts';

/** Every RPC of the service. */
export const chatHandlers = (deps: Deps): Handlers<typeof ChatServiceDefinition> =>
  othersUnimplemented({
    authorizeWebhooks: authorizeWebhooks(deps),
    createGuild: createGuild(deps),
    createMessage: createMessage(deps),
    createWebhookMessage: createWebhookMessage(deps),
    getChannel: getChannel(deps),
    getGuild: getGuild(deps),
    getMessage: getMessage(deps),
    getWebhookMessage: getWebhookMessage(deps),
    listGuildChannels: listGuildChannels(deps),
    listMessages: listMessages(deps),
    deleteChannel: deleteChannel(deps),
    listPrivateChannels: listPrivateChannels(deps),
    openPrivateChannel: openPrivateChannel(deps),
    removeRecipient: removeRecipient(deps),
    addRecipient: addRecipient(deps),
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
