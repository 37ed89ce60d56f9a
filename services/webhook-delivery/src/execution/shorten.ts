import { codePoints } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { cut } from './cut.ts';

/** Cuts the texts of embeds to the total limit of a message: in reading order, all after the limit is dropped. */
export function shorten(embeds: readonly EmbedInput[]): EmbedInput[] {
  let remaining: number = EMBED_LIMITS.total;
  const take = (text: string | null | undefined): string | undefined => {
    if (!text) return undefined;
    const kept = cut(text, remaining);
    remaining = kept === text ? remaining - codePoints(text) : 0;
    return kept === '' ? undefined : kept;
  };
  return embeds.map((embed) => fill(embed, take)).filter(isEmbed);
}

/** Whether an embed has more than a color and a timestamp. */
export function isEmbed({ color: _, timestamp: __, fields, ...parts }: EmbedInput): boolean {
  return fields.length > 0 || Object.values(parts).some((part) => part !== null);
}

/** Passes an embed's texts to `take` in reading order. */
function fill(embed: EmbedInput, take: (text: string | null | undefined) => string | undefined): EmbedInput {
  const authorName = take(embed.author?.name);
  const title = take(embed.title) ?? null;
  const description = take(embed.description) ?? null;
  const fields = embed.fields.flatMap((field) => {
    const name = take(field.name);
    const value = name && take(field.value);
    return value === undefined ? [] : [{ ...field, name, value }];
  });
  const footerText = take(embed.footer?.text);
  return {
    ...embed,
    title,
    description,
    fields,
    author: authorName === undefined ? null : { ...embed.author, name: authorName },
    footer: footerText === undefined ? null : { text: footerText },
  };
}
