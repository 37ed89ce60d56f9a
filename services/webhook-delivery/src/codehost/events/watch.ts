import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';

/** "watch" means a new star: the code host kept the event's old name. */
export function watch(payload: JsonObject): Rendering<EmbedInput> {
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] New star added`,
    url: linkAt(payload, 'repository', 'html_url'),
    author: authorAt(payload, 'sender'),
  });
}
