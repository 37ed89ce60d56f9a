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
  readonly fields?: readonly NotificationField[];
  readonly footer: string | undefined;
  readonly time: SentTime | undefined;
}

export interface NotificationField {
  readonly name: string;
  readonly value: string | undefined;
  readonly inline?: boolean;
}

/** An embed within chat's limits: first each part is cut, and then the end of the whole embed. */
export function notificationEmbed({
  title,
  url,
  color,
  description,
  fields = [],
  footer,
  time,
}: NotificationParts): EmbedInput {
  const embed: EmbedInput = {
    title: cut(title, EMBED_LIMITS.title),
    url: url ?? null,
    color,
    description: description === undefined ? null : cut(description, EMBED_LIMITS.description),
    fields: fields.flatMap(embedField),
    footer: footer === undefined ? null : { text: cut(footer, EMBED_LIMITS.footer_text) },
    timestamp: time === undefined ? null : isoTime(time),
  };
  return shorten([embed])[0] ?? embed;
}

function embedField({ name, value, inline = false }: NotificationField): EmbedFieldInput[] {
  return value === undefined ? [] : [{ name, value: cut(value, EMBED_LIMITS.field_value), inline }];
}
