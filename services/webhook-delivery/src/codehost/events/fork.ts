import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, objectAt, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';

export function fork(payload: JsonObject): Rendering<EmbedInput> {
  const forkee = objectAt(payload, 'forkee');
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] Fork created: ${textAt(forkee, 'full_name')}`,
    url: linkAt(forkee, 'html_url'),
    author: authorAt(payload, 'sender'),
  });
}
