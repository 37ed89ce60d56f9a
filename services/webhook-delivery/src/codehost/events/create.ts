import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { textAt, type Untyped } from '../../execution/untyped.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';
import { refTypeOf } from '../refs.ts';

export function create(payload: Untyped): Rendering<EmbedInput> {
  const type = refTypeOf(payload);
  if (type === undefined) return { nothing: 'ref_not_shown' };
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] New ${type} created: ${textAt(payload, 'ref')}`,
    author: authorAt(payload, 'sender'),
  });
}
