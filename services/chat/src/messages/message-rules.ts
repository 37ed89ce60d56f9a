import { Form } from '@gatehouse/kit/form';
import type { AllowedMentions, Embed, EmbedInput } from '@gatehouse/proto/chat';
import { emptyMessage, invalidMessage } from '../errors.ts';
import { readText } from '../form/fields.ts';
import { readEmbeds } from './embeds.ts';
import { checkAllowedMentions, findMentions, type Mentions } from './mentions.ts';

const MAX_CONTENT = 4000;
const MAX_NONCE = 64;
const MAX_WEBHOOK_NAME = 80;

const SUPPRESS_EMBEDS = 4;
const SUPPRESS_NOTIFICATIONS = 4096;

interface MessageInput {
  readonly content?: string | null | undefined;
  readonly embeds: readonly EmbedInput[];
  readonly flags?: number | null | undefined;
  readonly allowed_mentions?: AllowedMentions | null | undefined;
  /** Only for an account's message. */
  readonly nonce?: string | null | undefined;
  /** Only for a webhook's message. */
  readonly username?: string;
}

/** A checked message, as it is stored. */
interface MessageBody {
  readonly content: string;
  readonly embeds: Embed[];
  readonly flags: number;
  readonly mentions: Mentions;
  readonly nonce: string | null;
  readonly username: string;
}

/**
 * Checks a message from a request (docs/guilds.md#messages, docs/webhooks.md#execute), and reports all violations
 * together. `allowed` is the default for allowed_mentions.
 *
 * @throws INVALID_FORM_BODY, PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER, CANNOT_SEND_EMPTY_MESSAGE
 */
export function readNewMessage(input: MessageInput, allowed: AllowedMentions): MessageBody {
  const form = new Form();
  const allowedMentions = input.allowed_mentions ?? allowed;
  const username = input.username === undefined ? '' : readWebhookName(form, input.username);
  const content = readContent(form, input.content ?? '');
  const embeds = readEmbeds(form, input.embeds);
  checkAllowedMentions(form, allowedMentions);
  const nonce = readText(form, 'nonce', input.nonce ?? '', { max: MAX_NONCE });
  if (form.violations.length > 0) throw invalidMessage(form.violations);
  if (content === '' && embeds.length === 0) throw emptyMessage();
  return {
    content,
    embeds,
    flags: sendableFlags(input.flags ?? 0),
    mentions: findMentions(content, allowedMentions),
    nonce: nonce === '' ? null : nonce,
    username,
  };
}

function readWebhookName(form: Form, name: string): string {
  const rule = { min: 1, max: MAX_WEBHOOK_NAME, trim: true, code: 'WEBHOOK_NAME_LENGTH_INVALID' };
  return readText(form, 'username', name, rule);
}

export function readContent(form: Form, content: string): string {
  return readText(form, 'content', content, {
    max: MAX_CONTENT,
    trim: true,
    code: 'CONTENT_EXCEEDS_MAX_LENGTH',
  });
}

/** Keeps only the flags that clients can set. Bit operators work on the low 32 bits, which include both. */
export function sendableFlags(flags: number): number {
  return flags & (SUPPRESS_EMBEDS | SUPPRESS_NOTIFICATIONS);
}
