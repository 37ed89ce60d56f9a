import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, objectAt, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { checkEmbed } from '../check.ts';
import { titleLine } from '../event-embed.ts';

export function checkSuite(payload: JsonObject): Rendering<EmbedInput> {
  const suite = objectAt(payload, 'check_suite');
  const conclusion = textAt(suite, 'conclusion');
  if (conclusion === 'skipped') return { nothing: 'check_skipped' };
  return checkEmbed(payload, {
    name: titleLine`${textAt(suite, 'app', 'name')} checks`,
    conclusion,
    branch: textAt(suite, 'head_branch'),
    sha: textAt(suite, 'head_sha'),
  });
}
