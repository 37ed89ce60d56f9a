import { codePoints, type Form } from '@gatehouse/kit/form';
import { isoTime, readTime } from '@gatehouse/kit/iso-8601';
import type {
  Embed,
  EmbedAuthor,
  EmbedAuthorInput,
  EmbedField,
  EmbedFieldInput,
  EmbedFooter,
  EmbedFooterInput,
  EmbedInput,
  EmbedMedia,
  EmbedMediaInput,
} from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { readColor, readText } from '../form/fields.ts';

/** Reached within the other limits only by long URLs whose characters are not ASCII, or are escaped in JSON. */
export const MAX_EMBEDS_BYTES = 176 * 1024;

/**
 * Reads a message's embeds (docs/guilds.md#embeds), and adds each violation to the form. Texts are not trimmed, but a
 * blank text counts as absent. An author without a name, a footer without a text, and an embed with only a color or a
 * timestamp are left out.
 */
export function readEmbeds(form: Form, inputs: readonly EmbedInput[]): Embed[] {
  if (inputs.length > EMBED_LIMITS.embeds) {
    form.fail('embeds', 'TOO_MANY_EMBEDS', `Must hold at most ${EMBED_LIMITS.embeds} embeds.`);
  }
  const embeds = inputs
    .slice(0, EMBED_LIMITS.embeds)
    .map((input, index) => readEmbed(form, `embeds.${index}`, input))
    .filter((embed) => !isEmpty(embed));
  if (embeds.reduce((sum, embed) => sum + countCharacters(embed), 0) > EMBED_LIMITS.total) {
    const message = `The text of all embeds must be at most ${EMBED_LIMITS.total} characters long.`;
    form.fail('embeds', 'EMBEDS_EXCEED_MAX_CHARACTERS', message);
  } else if (Buffer.byteLength(JSON.stringify(embeds)) > MAX_EMBEDS_BYTES) {
    const message = `All embeds together must be at most ${MAX_EMBEDS_BYTES} bytes of JSON.`;
    form.fail('embeds', 'EMBEDS_EXCEED_MAX_CHARACTERS', message);
  }
  return embeds;
}

function readEmbed(form: Form, path: string, input: EmbedInput): Embed {
  return {
    type: 'rich',
    title: readOptional(form, `${path}.title`, input.title, EMBED_LIMITS.title),
    description: readOptional(form, `${path}.description`, input.description, EMBED_LIMITS.description),
    url: readUrl(form, `${path}.url`, input.url),
    color: input.color == null ? undefined : readColor(form, `${path}.color`, input.color),
    timestamp: readTimestamp(form, `${path}.timestamp`, input.timestamp),
    author: readAuthor(form, `${path}.author`, input.author),
    footer: readFooter(form, `${path}.footer`, input.footer),
    image: readMedia(form, `${path}.image`, input.image),
    thumbnail: readMedia(form, `${path}.thumbnail`, input.thumbnail),
    fields: readFields(form, `${path}.fields`, input.fields),
  };
}

function readAuthor(form: Form, path: string, input: Nullish<EmbedAuthorInput>): EmbedAuthor | undefined {
  const name = readOptional(form, `${path}.name`, input?.name, EMBED_LIMITS.author_name);
  const url = readUrl(form, `${path}.url`, input?.url);
  const icon_url = readUrl(form, `${path}.icon_url`, input?.icon_url);
  return name === undefined ? undefined : { name, url, icon_url };
}

function readFooter(form: Form, path: string, input: Nullish<EmbedFooterInput>): EmbedFooter | undefined {
  const text = readOptional(form, `${path}.text`, input?.text, EMBED_LIMITS.footer_text);
  const icon_url = readUrl(form, `${path}.icon_url`, input?.icon_url);
  return text === undefined ? undefined : { text, icon_url };
}

function readMedia(form: Form, path: string, input: Nullish<EmbedMediaInput>): EmbedMedia | undefined {
  const url = readUrl(form, `${path}.url`, input?.url);
  return url === undefined ? undefined : { url };
}

function readFields(form: Form, path: string, inputs: readonly EmbedFieldInput[]): EmbedField[] {
  if (inputs.length > EMBED_LIMITS.fields) {
    form.fail(path, 'INVALID_FORMAT', `Must hold at most ${EMBED_LIMITS.fields} fields.`);
  }
  return inputs.slice(0, EMBED_LIMITS.fields).map((input, index) => ({
    name: readText(form, `${path}.${index}.name`, input.name ?? '', { min: 1, max: EMBED_LIMITS.field_name }),
    value: readText(form, `${path}.${index}.value`, input.value ?? '', {
      min: 1,
      max: EMBED_LIMITS.field_value,
    }),
    inline: input.inline ?? false,
  }));
}

function readOptional(form: Form, path: string, value: Nullish<string>, max: number): string | undefined {
  return isBlank(value) ? undefined : readText(form, path, value, { max });
}

function readUrl(form: Form, path: string, value: Nullish<string>): string | undefined {
  if (isBlank(value)) return undefined;
  if (codePoints(value) > EMBED_LIMITS.url) {
    form.fail(path, 'URL_LENGTH_INVALID', `Must be at most ${EMBED_LIMITS.url} characters long.`);
  } else if (!/^https?:\/\/[^\s\0]+$/i.test(value) || !URL.canParse(value)) {
    form.fail(path, 'INVALID_URL_FORMAT', 'Must be an http or https URL.');
  }
  return value;
}

function readTimestamp(form: Form, path: string, value: Nullish<string>): string | undefined {
  if (isBlank(value)) return undefined;
  const time = readTime(value.trim());
  if (time === undefined) form.fail(path, 'INVALID_ISO_TIMESTAMP', 'Must be an ISO 8601 timestamp.');
  return time && isoTime(time);
}

function isEmpty({ type: _, color: __, timestamp: ___, fields, ...rest }: Embed): boolean {
  return fields.length === 0 && Object.values(rest).every((part) => part === undefined);
}

/** The characters that count towards the total: titles, texts and names, but not URLs. */
function countCharacters({ title, description, author, footer, fields }: Embed): number {
  const texts = [title, description, author?.name, footer?.text, ...fields.flatMap((f) => [f.name, f.value])];
  return texts.reduce((sum, text) => sum + codePoints(text ?? ''), 0);
}

type Nullish<T> = T | null | undefined;

function isBlank(value: Nullish<string>): value is null | undefined | '' {
  return value === null || value === undefined || value.trim() === '';
}
