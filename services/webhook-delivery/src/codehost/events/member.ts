import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { linkAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';

export function member(payload: Untyped): Rendering<EmbedInput> {
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] New collaborator added: ${textAt(payload, 'member', 'login')}`,
    url: linkAt(payload, 'member', 'html_url'),
    author: authorAt(payload, 'sender'),
  });
}
