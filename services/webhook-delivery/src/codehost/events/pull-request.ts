import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { stateColor } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function pullRequest(payload: JsonObject): Rendering<EmbedInput> {
  const action = textAt(payload, 'action');
  const { object, number, title, url, body } = subjectAt(payload, 'pull_request');
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] Pull request ${action}: #${number} ${title}`,
    url,
    color: stateColor(action, 0x098efc),
    description: action === 'opened' ? body : undefined,
    author: authorAt(object, 'user'),
  });
}
