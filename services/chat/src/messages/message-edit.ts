import type { MessageRow } from '@gatehouse/chat-client/rows';
import { Form } from '@gatehouse/kit/form';
import type { AllowedMentions, Embed, EmbedList } from '@gatehouse/proto/chat';
import type { NullableString } from '@gatehouse/proto/kit/json';
import { emptyMessage, invalidMessage } from '../errors.ts';
import { readEmbeds } from './embeds.ts';
import { checkAllowedMentions, findMentions, type Mentions } from './mentions.ts';
import { readContent, sendableFlags } from './message-rules.ts';

export interface EditInput {
  readonly content?: NullableString | null | undefined;
  readonly embeds?: EmbedList | null | undefined;
  readonly flags?: number | null | undefined;
  readonly allowed_mentions?: AllowedMentions | null | undefined;
}

/** A change of a message that was checked. What is undefined stays. */
export interface MessageEdit {
  readonly content: string | undefined;
  readonly embeds: readonly Embed[] | undefined;
  /** Sendable ones; all others stay. */
  readonly flags: number | undefined;
  /** Of the new content. */
  readonly mentions: Mentions;
}

/** Whom a message notifies. */
export type Notified = Pick<MessageRow, 'mention_ids' | 'mention_role_ids' | 'mention_everyone'>;

/**
 * Checks a change that a client sent (docs/webhooks.md#edit) and reports all violations together. `allowed` applies where
 * it has no allowed_mentions.
 *
 * @throws INVALID_FORM_BODY, PARSE_AND_USERS_OR_ROLES_CANNOT_BE_USED_TOGETHER
 */
export function readEdit(input: EditInput, allowed: AllowedMentions): MessageEdit {
  const form = new Form();
  const allowedMentions = input.allowed_mentions ?? allowed;
  const content = input.content == null ? undefined : readContent(form, input.content.value ?? '');
  const embeds = input.embeds == null ? undefined : readEmbeds(form, input.embeds.items);
  checkAllowedMentions(form, allowedMentions);
  if (form.violations.length > 0) throw invalidMessage(form.violations);
  return {
    content,
    embeds,
    flags: input.flags == null ? undefined : sendableFlags(input.flags),
    mentions: findMentions(content ?? '', allowedMentions),
  };
}

/** Whether an edit has a text, an embed or flags. */
export function brings({ content, embeds, flags }: MessageEdit): boolean {
  return Boolean(content) || Boolean(embeds?.length) || flags !== undefined;
}

/** Whether an edit gives a message another content, and so other mentions. */
export function changesContent(row: MessageRow, { content }: MessageEdit): boolean {
  return content !== undefined && content !== row.content;
}

/**
 * The message as an edit leaves it. `notified` is whom a new content notifies.
 *
 * @throws CANNOT_SEND_EMPTY_MESSAGE when it would have neither content nor embeds, and when the edit brings nothing and
 * has nothing to remove
 */
export function applyEdit(row: MessageRow, edit: MessageEdit, notified: Notified, now: Date): MessageRow {
  const content = edit.content ?? row.content;
  const embeds = edit.embeds ?? row.embeds;
  const removes = (content === '' && row.content !== '') || (embeds.length === 0 && row.embeds.length > 0);
  const isLeftEmpty = content === '' && embeds.length === 0;
  if (isLeftEmpty || !(brings(edit) || removes)) throw emptyMessage();
  return {
    ...row,
    embeds,
    flags: edit.flags === undefined ? row.flags : (row.flags & ~sendableFlags(-1)) | edit.flags,
    ...(changesContent(row, edit) && { content, ...notified, edited_at: now.toISOString() }),
  };
}
