import { Form } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { type JsonObject, objectOf } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { shorten } from '../execution/shorten.ts';
import { NAME_LIMIT } from '../webhooks/webhook.ts';
import { attachmentEmbed, itemsAt, readText } from './attachment.ts';

const CONTENT_LIMIT = 4000;

/** A chat tool's payload as a message. */
export interface ChatcompatMessage {
  readonly content: string | undefined;
  readonly username: string | undefined;
  readonly embeds: EmbedInput[];
}

/**
 * Reads a chat tool's payload (docs/webhooks.md#chat-tool-format). Attachments that are too long are cut. A text or a
 * name that is too long is refused, and so is any text that cannot be stored.
 *
 * @throws INVALID_FORM_BODY
 */
export function renderChatcompat(payload: JsonObject): Rendering<ChatcompatMessage> {
  const form = new Form();
  const content = readText(form, payload, '', 'text');
  const username = readText(form, payload, '', 'username');
  const message = {
    content: content && form.text('text', content, CONTENT_RULE),
    username: username && form.text('username', username, NAME_RULE),
    embeds: shorten(embedsOf(form, payload)),
  };
  form.check();
  const empty = message.content === undefined && message.embeds.length === 0;
  return empty ? { nothing: 'empty' } : { message };
}

const NAME_RULE = { max: NAME_LIMIT, trim: true, code: 'WEBHOOK_NAME_LENGTH_INVALID' };
const CONTENT_RULE = { max: CONTENT_LIMIT, trim: true, code: 'CONTENT_EXCEEDS_MAX_LENGTH' };

/** Attachments without anything to show do not count towards the limit. */
function embedsOf(form: Form, payload: JsonObject): EmbedInput[] {
  const embeds: EmbedInput[] = [];
  for (const [index, item] of itemsAt(payload, 'attachments').entries()) {
    if (embeds.length === EMBED_LIMITS.embeds) break;
    const attachment = objectOf(item);
    const embed = attachment && attachmentEmbed(form, attachment, `attachments.${index}.`);
    if (embed !== undefined) embeds.push(embed);
  }
  return embeds;
}
