import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, objectAt, textAt } from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { checkEmbed } from '../check.ts';

export function checkRun(payload: JsonObject): Rendering<EmbedInput> {
  const run = objectAt(payload, 'check_run');
  const suite = objectAt(run, 'check_suite');
  if (textAt(suite, 'conclusion') === 'skipped') return { nothing: 'check_skipped' };
  return checkEmbed(payload, {
    name: textAt(run, 'name'),
    conclusion: textAt(run, 'conclusion'),
    branch: textAt(suite, 'head_branch'),
    sha: textAt(run, 'head_sha'),
  });
}
