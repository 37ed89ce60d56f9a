import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { textAt, type Untyped } from '../../execution/untyped.ts';
import { stateColor } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, title } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function pullRequest(payload: Untyped): Rendering<EmbedInput> {
  const action = textAt(payload, 'action');
  const { object, number, name, url, body } = subjectAt(payload, 'pull_request');
  return eventEmbed({
    title: title`[${fullNameOf(payload)}] Pull request ${action}: #${number} ${name}`,
    url,
    color: stateColor(action, 0x098efc),
    description: action === 'opened' ? body : undefined,
    author: authorAt(object, 'user'),
  });
}
