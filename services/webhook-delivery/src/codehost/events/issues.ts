import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { textAt, type Untyped } from '../../execution/untyped.ts';
import { COLORS } from '../colors.ts';
import { authorAt, embed, fullNameOf, title } from '../embed.ts';
import { subjectAt } from '../subject.ts';

export function issues(payload: Untyped): Rendering<EmbedInput> {
  const action = textAt(payload, 'action');
  const { number, name, url, body } = subjectAt(payload, 'issue');
  return embed({
    title: title`[${fullNameOf(payload)}] Issue ${action}: #${number} ${name}`,
    url,
    color: colorOf(action),
    description: action === 'opened' ? body : undefined,
    author: authorAt(payload, 'sender'),
  });
}

function colorOf(action: string | undefined): number {
  if (action === 'opened') return 0xeb4841;
  return action === 'closed' ? COLORS.black : COLORS.yellow;
}
