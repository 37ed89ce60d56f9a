import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';

export function release(payload: Untyped): Rendering<EmbedInput> {
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] New release published: ${textAt(payload, 'release', 'tag_name')}`,
    url: linkAt(payload, 'release', 'html_url'),
    author: authorAt(payload, 'sender'),
  });
}
