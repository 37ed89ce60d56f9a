import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { stateColor } from '../colors.ts';
import { authorAt, eventEmbed, fullNameOf, titleLine } from '../event-embed.ts';
import { subjectAt } from '../subject.ts';

export function issues(payload: JsonObject): Rendering<EmbedInput> {
  const action = textAt(payload, 'action');
  const { number, title, url, body } = subjectAt(payload, 'issue');
  return eventEmbed({
    title: titleLine`[${fullNameOf(payload)}] Issue ${action}: #${number} ${title}`,
    url,
    color: stateColor(action, 0xeb4841),
    description: action === 'opened' ? body : undefined,
    author: authorAt(payload, 'sender'),
  });
}
