import type { EmbedInput } from '@gatehouse/proto/chat';
import type { JsonObject } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';

/** The event `public`; the name alone is a reserved word. */
export function madePublic(payload: JsonObject): Rendering<EmbedInput> {
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] Now open sourced!`,
    author: authorAt(payload, 'sender'),
  });
}
