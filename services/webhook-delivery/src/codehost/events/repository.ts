import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';

export function repository(payload: JsonObject): Rendering<EmbedInput> {
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] Repository created`,
    url: linkAt(payload, 'repository', 'html_url'),
    color: 0x2cbe4e,
    author: authorAt(payload, 'sender'),
  });
}
