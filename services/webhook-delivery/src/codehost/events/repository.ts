import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, type Untyped } from '../../execution/untyped.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';

export function repository(payload: Untyped): Rendering<EmbedInput> {
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] Repository created`,
    url: linkAt(payload, 'repository', 'html_url'),
    color: 0x2cbe4e,
    author: authorAt(payload, 'sender'),
  });
}
