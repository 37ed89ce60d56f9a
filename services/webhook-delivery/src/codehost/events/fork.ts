import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, objectAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';

export function fork(payload: Untyped): Rendering<EmbedInput> {
  const forkee = objectAt(payload, 'forkee');
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] Fork created: ${textAt(forkee, 'full_name')}`,
    url: linkAt(forkee, 'html_url'),
    author: authorAt(payload, 'sender'),
  });
}
