import { codePoints } from '@gatehouse/kit/form';
import type { EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { cut } from './cut.ts';

/** Cuts embeds to the limit of all texts of a message. In reading order, texts past the limit are dropped. */
export function shorten(embeds: readonly EmbedInput[]): EmbedInput[] {
  let remaining: number = EMBED_LIMITS.total;
  const take = (text: string | null | undefined): string | undefined => {
    if (!text) return undefined;
    const kept = cut(text, remaining);
    remaining = kept === text ? remaining - codePoints(text) : 0;
    return kept === '' ? undefined : kept;
  };
  return embeds.map((embed) => takeTexts(embed, take)).filter(hasContent);
}

/** Whether an embed shows more than a color and a timestamp. */
export function hasContent({ color: _, timestamp: __, fields, ...parts }: EmbedInput): boolean {
  return fields.length > 0 || Object.values(parts).some((part) => part !== null);
}

/** Passes an embed's texts to `take` in reading order. */
function takeTexts(
  embed: EmbedInput,
  take: (text: string | null | undefined) => string | undefined,
): EmbedInput {
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
