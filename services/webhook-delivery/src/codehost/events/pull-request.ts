import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { textAt, type Untyped } from '../../execution/untyped.ts';
import { COLORS } from '../colors.ts';
import { authorAt, embed, fullNameOf, title } from '../embed.ts';
import { subjectAt } from '../subject.ts';

export function pullRequest(payload: Untyped): Rendering<EmbedInput> {
  const action = textAt(payload, 'action');
  const { it: pull, number, name, url, body } = subjectAt(payload, 'pull_request');
  return embed({
    title: title`[${fullNameOf(payload)}] Pull request ${action}: #${number} ${name}`,
    url,
    color: colorOf(action),
    description: action === 'opened' ? body : undefined,
    author: authorAt(pull, 'user'),
  });
}

function colorOf(action: string | undefined): number {
  if (action === 'opened') return 0x098efc;
  return action === 'closed' ? COLORS.black : COLORS.yellow;
}
