import { Form } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { shorten } from '../execution/shorten.ts';
import { objectOf, type Untyped, valueAt } from '../execution/untyped.ts';
import { NAME_LIMIT } from '../webhooks/webhook.ts';
import { attachmentEmbed, readText } from './attachment.ts';

const CONTENT_LIMIT = 4000;

/** A chat tool's payload as a message. */
export interface ChatcompatMessage {
  readonly content: string | undefined;
  readonly username: string | undefined;
  readonly embeds: EmbedInput[];
}

/**
 * Reads a chat tool's payload (docs/webhooks.md#chat-tool-format); undefined when it has neither text
 * nor attachments to show. Attachments that are too long are cut; a text or name that is too long is
 * refused.
 *
 * @throws INVALID_FORM_BODY
 */
export function renderChatcompat(payload: Untyped): ChatcompatMessage | undefined {
  const form = new Form();
  const content = readText(form, payload, '', 'text');
  const username = readText(form, payload, '', 'username');
  const message = {
    content: content && form.text('text', content, CONTENT_RULE),
    username: username && form.text('username', username, { max: NAME_LIMIT, trim: true }),
    embeds: shorten(embedsOf(form, payload)),
  };
  form.check();
  return message.content === undefined && message.embeds.length === 0 ? undefined : message;
}

const CONTENT_RULE = { max: CONTENT_LIMIT, trim: true, code: 'CONTENT_EXCEEDS_MAX_LENGTH' };

function embedsOf(form: Form, payload: Untyped): EmbedInput[] {
  const attachments = valueAt(payload, 'attachments');
  if (!Array.isArray(attachments)) return [];
  const embeds: EmbedInput[] = [];
  let seen = 0;
  for (const [index, item] of attachments.entries()) {
    const attachment = objectOf(item);
    if (attachment === undefined) continue;
    if (++seen > EMBED_LIMITS.embeds) break;
    const embed = attachmentEmbed(form, attachment, `attachments.${index}.`);
    if (embed !== undefined) embeds.push(embed);
  }
  return embeds;
}
