import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';

export function release(payload: JsonObject): Rendering<EmbedInput> {
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] New release published: ${textAt(payload, 'release', 'tag_name')}`,
    url: linkAt(payload, 'release', 'html_url'),
    author: authorAt(payload, 'sender'),
  });
}
