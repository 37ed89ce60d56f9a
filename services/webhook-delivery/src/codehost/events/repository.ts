import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, type Untyped } from '../../execution/untyped.ts';
import { authorAt, embed, fullNameOf, title } from '../embed.ts';

export function repository(payload: Untyped): Rendering<EmbedInput> {
  return embed({
    title: title`[${fullNameOf(payload)}] Repository created`,
    url: linkAt(payload, 'repository', 'html_url'),
    color: 0x2cbe4e,
    author: authorAt(payload, 'sender'),
  });
}
