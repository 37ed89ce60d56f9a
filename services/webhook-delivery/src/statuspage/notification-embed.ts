import { isoTime, type SentTime } from '@gatehouse/kit/iso-8601';
import type { EmbedFieldInput, EmbedInput } from '@gatehouse/proto/chat';
import { EMBED_LIMITS } from '@gatehouse/proto/embed-limits';
import { cut } from '../execution/cut.ts';
import { shorten } from '../execution/shorten.ts';

/** The parts of a notification's embed. Texts are storable and of any length. */
export interface NotificationParts {
  readonly title: string;
  readonly url: string | undefined;
  readonly color: number;
  readonly description?: string | undefined;
  readonly fields?: readonly EmbedPart[];
  readonly footer: string | undefined;
  readonly time: SentTime | undefined;
}

export interface EmbedPart {
  readonly name: string;
  readonly value: string | undefined;
  readonly inline?: boolean;
}

/** An embed within chat's limits: each part is cut, and then the end of the whole. */
export function notificationEmbed({
  title,
  url,
  color,
  description,
  fields = [],
  footer,
  time,
}: NotificationParts): EmbedInput {
  const whole: EmbedInput = {
    title: cut(title, EMBED_LIMITS.title),
    url: url ?? null,
    color,
    description: description === undefined ? null : cut(description, EMBED_LIMITS.description),
    fields: fields.flatMap(embedField),
    footer: footer === undefined ? null : { text: cut(footer, EMBED_LIMITS.footer_text) },
    timestamp: time === undefined ? null : isoTime(time),
  };
  return shorten([whole])[0] ?? whole;
}

function embedField({ name, value, inline = false }: EmbedPart): EmbedFieldInput[] {
  return value === undefined ? [] : [{ name, value: cut(value, EMBED_LIMITS.field_value), inline }];
}
