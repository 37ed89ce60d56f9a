import { codePoints } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';

interface Posted {
  readonly content?: string | undefined;
  readonly username?: string | undefined;
  readonly embeds: readonly EmbedInput[];
}

/** Why chat would refuse a message, or show it badly. Nothing, if it is sound. */
export function messageFaults({ content, username, embeds }: Posted): string[] {
  const total = embeds.flatMap(textsOf).reduce((sum, { text }) => sum + codePoints(text ?? ''), 0);
  return [
    ...embeds.flatMap(embedFaults),
    ...textFaults({ name: 'content', text: content, limit: 4000 }),
    ...textFaults({ name: 'username', text: username, limit: 80 }),
    ...named({
      'nothing to show': content === undefined && embeds.length === 0,
      'too many embeds': embeds.length > EMBED_LIMITS.embeds,
      'embeds too long together': total > EMBED_LIMITS.total,
    }),
  ];
}

function embedFaults(embed: EmbedInput): string[] {
  const { author, fields, color, timestamp } = embed;
  const links = [embed.url, author?.url, author?.icon_url, embed.image?.url, embed.thumbnail?.url];
  return [
    ...textsOf(embed).flatMap(textFaults),
    ...named({
      'author without name': author != null && author.name == null,
      'field without name or value': fields.some(({ name, value }) => name == null || value == null),
      'too many fields': fields.length > EMBED_LIMITS.fields,
      'bad link': !links.every(isLinkOrNone),
      'bad color': color != null && !(color >= 0 && color <= EMBED_LIMITS.color),
      'bad timestamp': timestamp != null && !/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(timestamp),
    }),
  ];
}

interface Text {
  readonly name: string;
  readonly text: string | null | undefined;
  readonly limit: number;
}

function textsOf({ title, description, author, footer, fields }: EmbedInput): Text[] {
  return [
    { name: 'title', text: title, limit: EMBED_LIMITS.title },
    { name: 'description', text: description, limit: EMBED_LIMITS.description },
    { name: 'author', text: author?.name, limit: EMBED_LIMITS.author_name },
    { name: 'footer', text: footer?.text, limit: EMBED_LIMITS.footer_text },
    ...fields.flatMap(({ name, value }) => [
      { name: 'field name', text: name, limit: EMBED_LIMITS.field_name },
      { name: 'field value', text: value, limit: EMBED_LIMITS.field_value },
    ]),
  ];
}

function textFaults({ name, text, limit }: Text): string[] {
  if (text == null) return [];
  return named({
    [`blank ${name}`]: text.trim() === '',
    [`${name} too long`]: codePoints(text) > limit,
    [`NUL in ${name}`]: text.includes('\0'),
    [`half a pair in ${name}`]: !text.isWellFormed(),
  });
}

function isLinkOrNone(link: string | null | undefined): boolean {
  return link == null || (/^https?:\/\/\S+$/i.test(link) && codePoints(link) <= EMBED_LIMITS.url);
}

/** The names of what is so. */
function named(faults: Readonly<Record<string, boolean>>): string[] {
  return Object.entries(faults)
    .filter(([, is]) => is)
    .map(([name]) => name);
}
