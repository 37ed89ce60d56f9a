import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import type { Untyped } from '../../execution/untyped.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';

/** The event `public`; the name alone is a reserved word. */
export function madePublic(payload: Untyped): Rendering<EmbedInput> {
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] Now open sourced!`,
    author: authorAt(payload, 'sender'),
  });
}
