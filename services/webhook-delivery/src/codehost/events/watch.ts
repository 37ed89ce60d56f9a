import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, type Untyped } from '../../execution/untyped.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';

/** "watch" means a new star: the code host kept the event's old name. */
export function watch(payload: Untyped): Rendering<EmbedInput> {
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] New star added`,
    url: linkAt(payload, 'repository', 'html_url'),
    author: authorAt(payload, 'sender'),
  });
}
