import type { MessageRow } from '@gatehouse/chat-client/rows';
import { Form } from '@gatehouse/kit/form';
import type { AllowedMentions, Embed, EmbedList } from '@gatehouse/proto/chat';
import type { NullableString } from '@gatehouse/proto/kit/json';
import { emptyMessage, invalidMessage } from '../errors.ts';
import { readEmbeds } from './embeds.ts';
import { checkAllowedMentions, findMentions, type Mentions } from './mentions.ts';
import { readContent, sendableFlags } from './message-rules.ts';

interface EditInput {
  readonly content?: NullableString | null | undefined;
  readonly embeds?: EmbedList | null | undefined;
  readonly flags?: number | null | undefined;
  readonly allowed_mentions?: AllowedMentions | null | undefined;
}

/** A checked edit of a message. Undefined leaves a field unchanged. */
export interface MessageEdit {
  readonly content: string | undefined;
  readonly embeds: readonly Embed[] | undefined;
  /** The flags that clients can set. Other flags stay. */
  readonly flags: number | undefined;
  /** The mentions of the new content. */
  readonly mentions: Mentions;
}

/** The accounts and roles that a message notifies. */
export type Notified = Pick<MessageRow, 'mention_ids' | 'mention_role_ids' | 'mention_everyone'>;

/**
 * Checks an edit from a request (docs/webhooks.md#edit), and reports all violations together. `allowed` is the default
 * for allowed_mentions.
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

/** Whether an edit sets no content, no embed and no flags. */
export function isEmptyEdit({ content, embeds, flags }: MessageEdit): boolean {
  return !content && !embeds?.length && flags === undefined;
}

/** Whether an edit replaces the content, and so the mentions. */
export function changesContent(row: MessageRow, { content }: MessageEdit): boolean {
  return content !== undefined && content !== row.content;
}

/**
 * The message after an edit. `notified` belongs to the new content.
 *
 * @throws CANNOT_SEND_EMPTY_MESSAGE if the result has neither content nor embeds, or if the edit sets and removes nothing
 */
export function applyEdit(row: MessageRow, edit: MessageEdit, notified: Notified, now: Date): MessageRow {
  const content = edit.content ?? row.content;
  const embeds = edit.embeds ?? row.embeds;
  const removes = (content === '' && row.content !== '') || (embeds.length === 0 && row.embeds.length > 0);
  const isLeftEmpty = content === '' && embeds.length === 0;
  if (isLeftEmpty || (isEmptyEdit(edit) && !removes)) throw emptyMessage();
  return {
    ...row,
    embeds,
    flags: edit.flags === undefined ? row.flags : (row.flags & ~sendableFlags(-1)) | edit.flags,
    ...(changesContent(row, edit) && { content, ...notified, edited_at: now.toISOString() }),
  };
}
