import type { Form } from '@gatehouse/kit/form';
import { isoTime, readUnixTime, type SentTime } from '@gatehouse/kit/iso-8601';
import type { EmbedAuthorInput, EmbedFieldInput, EmbedInput, EmbedMediaInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { cut } from '../execution/cut.ts';
import { digitsAt, type JsonObject, linkAt, objectOf, textAt, valueAt } from '../execution/json-object.ts';
import { hasContent } from '../execution/shorten.ts';

/** Converts an attachment to an embed (docs/webhooks.md#attachments). Undefined if it has nothing to show. */
export function attachmentEmbed(form: Form, attachment: JsonObject, path: string): EmbedInput | undefined {
  const part = (name: string, limit: number): string | undefined => {
    const text = readText(form, attachment, path, name);
    return text && cut(text, limit);
  };
  const footer = part('footer', EMBED_LIMITS.footer_text);
  const embed: EmbedInput = {
    title: part('title', EMBED_LIMITS.title) ?? null,
    description: description(form, attachment, path) ?? null,
    url: linkAt(attachment, 'title_link') ?? null,
    color: color(valueAt(attachment, 'color')) ?? null,
    timestamp: timestamp(attachment) ?? null,
    author: author(attachment, part('author_name', EMBED_LIMITS.author_name)) ?? null,
    footer: footer === undefined ? null : { text: footer },
    image: media(attachment, 'image_url') ?? null,
    thumbnail: media(attachment, 'thumb_url') ?? null,
    fields: fields(form, attachment, path),
  };
  return hasContent(embed) ? embed : undefined;
}

function description(form: Form, attachment: JsonObject, path: string): string | undefined {
  const read = (name: string): string | undefined => readText(form, attachment, path, name);
  const texts = [read('pretext'), read('text')].filter((text) => text !== undefined);
  const text = texts.length > 0 ? texts.join('\n') : read('fallback');
  return text && cut(text, EMBED_LIMITS.description);
}

/** Six hexadecimal digits. The color names of chat tools ("good", "danger") are ignored. */
function color(value: unknown): number | undefined {
  const digits = typeof value === 'string' ? /^#?([0-9a-fA-F]{6})$/.exec(value)?.[1] : undefined;
  return digits === undefined ? undefined : Number.parseInt(digits, 16);
}

/** Unix seconds, with or without a fraction, to ISO 8601. Years have four digits. */
function timestamp(attachment: JsonObject): string | undefined {
  const value = valueAt(attachment, 'ts');
  let time: SentTime | undefined;
  if (typeof value === 'string') time = readUnixTime(value.trim());
  // A number may have an exponent.
  else if (typeof value === 'number')
    time = readUnixTime(digitsAt(attachment, 'ts') ?? '') ?? readUnixTime(value.toFixed(3));
  return time && isoTime(time);
}

function author(attachment: JsonObject, name: string | undefined): EmbedAuthorInput | undefined {
  if (name === undefined) return undefined;
  return {
    name,
    url: linkAt(attachment, 'author_link') ?? null,
    icon_url: linkAt(attachment, 'author_icon') ?? null,
  };
}

function media(attachment: JsonObject, name: string): EmbedMediaInput | undefined {
  const url = linkAt(attachment, name);
  return url === undefined ? undefined : { url };
}

function fields(form: Form, attachment: JsonObject, path: string): EmbedFieldInput[] {
  const found: EmbedFieldInput[] = [];
  for (const [index, value] of itemsAt(attachment, 'fields').entries()) {
    if (found.length === EMBED_LIMITS.fields) break;
    const item = objectOf(value);
    const field = item && fieldOf(form, item, `${path}fields.${index}.`);
    if (field !== undefined) found.push(field);
  }
  return found;
}

/** Undefined for a field without a title or a value. */
function fieldOf(form: Form, item: JsonObject, path: string): EmbedFieldInput | undefined {
  const name = scalar(form, item, path, 'title');
  const value = scalar(form, item, path, 'value');
  if (name === undefined || value === undefined) return undefined;
  return {
    name: cut(name, EMBED_LIMITS.field_name),
    value: cut(value, EMBED_LIMITS.field_value),
    inline: TRUTHY.has(valueAt(item, 'short')),
  };
}

const TRUTHY: ReadonlySet<unknown> = new Set([true, 'true', 'True', 1]);

/** Booleans and numbers become strings. A number keeps the digits that were sent. */
function scalar(form: Form, item: JsonObject, path: string, name: string): string | undefined {
  const value = valueAt(item, name);
  if (typeof value === 'number') return digitsAt(item, name) ?? String(value);
  return typeof value === 'boolean' ? String(value) : readText(form, item, path, name);
}

/** A member's text. Undefined if it is blank or not a string. Text that cannot be stored is a violation. */
export function readText(form: Form, from: JsonObject, path: string, name: string): string | undefined {
  const text = textAt(from, name);
  if (text === undefined || !text.includes('\0')) return text?.toWellFormed();
  form.fail(`${path}${name}`, 'INVALID_FORMAT', 'Must be Unicode text without NUL.');
  return undefined;
}

/** Far more than any program sends. Further items are not parsed. */
const MAX_ITEMS = 1000;

/** The first items of an array. Empty for other types. */
export function itemsAt(from: JsonObject, name: string): readonly unknown[] {
  const items = valueAt(from, name);
  return Array.isArray(items) ? items.slice(0, MAX_ITEMS) : [];
}
