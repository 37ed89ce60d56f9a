import type { Overwrite } from '@gatehouse/chat-client/permissions';
import { Form } from '@gatehouse/kit/form';
import type { CreateChannelRequest, UpdateChannelRequest } from '@gatehouse/proto/chat';
import { readId, readInteger, readText } from '../form/fields.ts';
import { MAX_POSITION } from '../guilds/position-form.ts';
import { readOverwrites } from '../overwrites/overwrite-form.ts';
import { ChannelType } from '../store/channels/channels.ts';

const MAX_NAME = 100;
const MAX_TOPIC = 1024;
const MAX_INTERVAL_SECONDS = 21_600;
const TYPES: readonly number[] = [ChannelType.GUILD_TEXT, ChannelType.GUILD_VOICE, ChannelType.CATEGORY];

/** The channel settings that members can change. */
export interface ChannelSettings {
  readonly name: string;
  readonly topic: string | null;
  readonly position: number;
  readonly parent_id: string | null;
  readonly rate_limit_per_user: number;
  readonly permission_overwrites: readonly Overwrite[];
}

export interface NewChannel extends Omit<ChannelSettings, 'position'> {
  readonly type: number;
  /** Undefined puts the channel after the others. */
  readonly position: number | undefined;
}

/**
 * Reads a new guild channel from a request (docs/guilds.md#channels).
 *
 * @throws INVALID_FORM_BODY
 */
export function readNewChannel(request: CreateChannelRequest): NewChannel {
  const form = new Form();
  const channel = {
    name: readName(form, request.name),
    type: request.type ?? ChannelType.GUILD_TEXT,
    topic: readTopic(form, request.topic ?? ''),
    position: request.position == null ? undefined : readPosition(form, request.position),
    parent_id: request.parent_id == null ? null : readId(form, 'parent_id', request.parent_id),
    rate_limit_per_user: readInterval(form, request.rate_limit_per_user ?? 0),
    permission_overwrites: readOverwrites(form, request.permission_overwrites),
  };
  if (!TYPES.includes(channel.type)) form.fail('type', 'INVALID_FORMAT', `Must be one of ${TYPES}.`);
  form.check();
  return channel;
}

/**
 * Reads changes to a channel from a request. The result has only the settings that the client sent.
 *
 * @throws INVALID_FORM_BODY
 */
export function readChannelChanges(request: UpdateChannelRequest): Partial<ChannelSettings> {
  const { name, topic, parent_id, rate_limit_per_user, position, permission_overwrites } = request;
  const form = new Form();
  const changes = {
    ...(name != null && { name: readName(form, name) }),
    ...(topic != null && { topic: readTopic(form, topic.value ?? '') }),
    ...(parent_id != null && {
      parent_id: parent_id.value == null ? null : readId(form, 'parent_id', parent_id.value),
    }),
    ...(rate_limit_per_user != null && { rate_limit_per_user: readInterval(form, rate_limit_per_user) }),
    ...(position != null && { position: readPosition(form, position) }),
    ...(permission_overwrites != null && {
      permission_overwrites: readOverwrites(form, permission_overwrites.items),
    }),
  };
  form.check();
  return changes;
}

function readPosition(form: Form, position: number): number {
  return readInteger(form, 'position', position, 0, MAX_POSITION);
}

function readName(form: Form, name: string): string {
  return readText(form, 'name', name, { min: 1, max: MAX_NAME, trim: true });
}

function readTopic(form: Form, topic: string): string | null {
  return readText(form, 'topic', topic, { max: MAX_TOPIC }) || null;
}

function readInterval(form: Form, seconds: number): number {
  return readInteger(form, 'rate_limit_per_user', seconds, 0, MAX_INTERVAL_SECONDS);
}
