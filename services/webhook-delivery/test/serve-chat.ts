import { invalidForm, Status } from '@gatehouse/kit/fault';
import { codePoints } from '@gatehouse/kit/form';
import type { Running } from '@gatehouse/kit/lifecycle';
import { silentLogger } from '@gatehouse/kit/log';
import { type Handlers, implement, serve } from '@gatehouse/kit/rpc';
import {
  ChatServiceDefinition,
  type CreateWebhookMessageRequest,
  type GetWebhookMessageRequest,
  type Message,
  type RecordWebhookChangeRequest,
  type UpdateWebhookMessageRequest,
} from '@gatehouse/proto/chat';
import { absentHandlers, fault } from './neighbour.ts';

/** What chat holds: channels by guild, who may manage webhooks, and what was posted. */
export interface ChatWorld {
  /** Channel ID → guild ID; null: a private channel. */
  readonly channels: Map<string, string | null>;
  readonly managers: Set<string>;
  readonly messages: Map<string, Message>;
  /** The requests of the messages that were posted, oldest first. */
  readonly posted: CreateWebhookMessageRequest[];
  /** The requests of their edits. */
  readonly edits: UpdateWebhookMessageRequest[];
  readonly deliveries: Set<string>;
  /** Webhooks of which chat takes no message. */
  readonly refused: Set<string>;
  /** Changes of webhooks by their IDs, in the order of their arrival. */
  readonly changes: Map<string, RecordWebhookChangeRequest>;
  /** Channels in which nobody may manage webhooks. */
  readonly closed: Set<string>;
  readonly categories: Set<string>;
  /** What happens before chat judges or records. */
  readonly before: {
    authorizeWebhooks?: (channel_id: string) => unknown;
    recordWebhookChange?: (change: RecordWebhookChangeRequest) => unknown;
  };
}

/** A chat service of the parts that webhook-delivery calls, on a real port. */
export function serveChat(world: ChatWorld, address = '127.0.0.1:0'): Promise<Running> {
  const handlers: Handlers<typeof ChatServiceDefinition> = {
    ...absentHandlers(ChatServiceDefinition.methods),
    authorizeWebhooks: async ({ channel_id, destination_id, reason }, { caller }) => {
      await world.before.authorizeWebhooks?.(channel_id);
      const guild_id = guildOf(world, channel_id);
      requireManager(world, caller.account_id, channel_id);
      if (destination_id != null) {
        if (guildOf(world, destination_id) !== guild_id) throw fault(Status.INVALID_ARGUMENT, 'BAD_REQUEST');
        requireManager(world, caller.account_id, destination_id);
      }
      return { guild_id, reason: reason == null ? null : decodeURIComponent(reason) };
    },
    listWebhookChannels: ({ guild_id }, { caller }) => {
      const channels = [...world.channels].filter(([, guild]) => guild === guild_id).map(([id]) => id);
      if (channels.length === 0) throw fault(Status.NOT_FOUND, 'NOT_FOUND');
      if (!world.managers.has(caller.account_id)) throw fault(Status.PERMISSION_DENIED, 'FORBIDDEN');
      return { channel_ids: channels.filter((id) => !world.closed.has(id)) };
    },
    recordWebhookChange: async (request) => {
      await world.before.recordWebhookChange?.(request);
      world.changes.set(request.id, request);
      return { channel_gone: !world.channels.has(request.webhook?.channel_id ?? '') };
    },
    createWebhookMessage: (request) => ({ message: postMessage(world, request) }),
    getWebhookMessage: (request) => ({ message: ownMessage(world, request) }),
    updateWebhookMessage: (request) => {
      const message = ownMessage(world, request);
      world.edits.push(request);
      const edited = { ...message, content: request.content?.value ?? message.content };
      world.messages.set(message.id, edited);
      return { message: edited };
    },
    deleteWebhookMessage: (request) => {
      world.messages.delete(ownMessage(world, request).id);
      return {};
    },
  };
  const implementations = [implement(ChatServiceDefinition, handlers)];
  return serve({ address, implementations, log: silentLogger });
}

function guildOf(world: ChatWorld, channelId: string): string {
  const guild_id = world.channels.get(channelId);
  if (guild_id === undefined) throw fault(Status.NOT_FOUND, 'NOT_FOUND');
  if (guild_id === null) throw fault(Status.INVALID_ARGUMENT, 'BAD_REQUEST');
  return guild_id;
}

function requireManager({ managers, closed, categories }: ChatWorld, accountId: string, channelId: string) {
  if (!managers.has(accountId) || closed.has(channelId)) throw fault(Status.PERMISSION_DENIED, 'FORBIDDEN');
  if (categories.has(channelId)) throw fault(Status.INVALID_ARGUMENT, 'BAD_REQUEST');
}

function ownMessage(
  world: ChatWorld,
  { webhook_id, channel_id, message_id }: GetWebhookMessageRequest,
): Message {
  const message = world.messages.get(message_id);
  if (message?.channel_id !== channel_id) throw fault(Status.NOT_FOUND, 'UNKNOWN_MESSAGE');
  if (message.webhook_id !== webhook_id) throw fault(Status.PERMISSION_DENIED, 'MISSING_PERMISSIONS');
  return message;
}

function postMessage(world: ChatWorld, request: CreateWebhookMessageRequest): Message | null {
  if (!world.channels.has(request.channel_id)) throw fault(Status.NOT_FOUND, 'NOT_FOUND');
  if (world.refused.has(request.webhook_id)) {
    throw invalidForm([{ path: 'embeds.0.title', code: 'STRING_LENGTH_INVALID', message: 'Too long.' }]);
  }
  const content = request.content?.trim() ?? '';
  if (codePoints(content) > 4000) {
    throw invalidForm([{ path: 'content', code: 'CONTENT_EXCEEDS_MAX_LENGTH', message: 'Too long.' }]);
  }
  if (content === '' && request.embeds.length === 0) {
    throw fault(Status.INVALID_ARGUMENT, 'CANNOT_SEND_EMPTY_MESSAGE');
  }
  if (typeof request.deduplication_key === 'string') {
    const claim = `${request.webhook_id} ${request.deduplication_key}`;
    if (world.deliveries.has(claim)) return null;
    world.deliveries.add(claim);
  }
  const message = messageOf(String(1000 + world.posted.length), content, request);
  world.messages.set(message.id, message);
  world.posted.push(request);
  return message;
}

function messageOf(id: string, content: string, request: CreateWebhookMessageRequest): Message {
  const { webhook_id, channel_id, username, avatar } = request;
  return {
    id,
    channel_id,
    author: {
      id: webhook_id,
      username,
      discriminator: '0000',
      global_name: null,
      avatar: avatar ?? null,
      bot: true,
    },
    webhook_id,
    type: 0,
    flags: request.flags ?? 0,
    content,
    timestamp: '2026-01-01T00:00:00.000Z',
    edited_timestamp: null,
    pinned: false,
    mention_everyone: false,
    tts: false,
    mentions: [],
    mention_roles: [],
    embeds: request.embeds.map(({ title, description }) => ({
      type: 'rich',
      title,
      description,
      fields: [],
    })),
    attachments: [],
  };
}
