import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { textAt, type Untyped } from '../../execution/untyped.ts';
import { stateColor } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function issues(payload: Untyped): Rendering<EmbedInput> {
  const action = textAt(payload, 'action');
  const { number, name, url, body } = subjectAt(payload, 'issue');
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] Issue ${action}: #${number} ${name}`,
    url,
    color: stateColor(action, 0xeb4841),
    description: action === 'opened' ? body : undefined,
    author: authorAt(payload, 'sender'),
  });
}
