import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';
import { refTypeOf } from '../refs.ts';

export function create(payload: JsonObject): Rendering<EmbedInput> {
  const type = refTypeOf(payload);
  if (type === undefined) return { nothing: 'ref_not_shown' };
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] New ${type} created: ${textAt(payload, 'ref')}`,
    author: authorAt(payload, 'sender'),
  });
}
