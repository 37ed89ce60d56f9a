import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { objectAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { checkEmbed } from '../check.ts';
import { title } from '../event-embed.ts';

export function checkSuite(payload: Untyped): Rendering<EmbedInput> {
  const suite = objectAt(payload, 'check_suite');
  const conclusion = textAt(suite, 'conclusion');
  if (conclusion === 'skipped') return { nothing: 'check_skipped' };
  return checkEmbed(payload, {
    name: title`${textAt(suite, 'app', 'name')} checks`,
    conclusion,
    branch: textAt(suite, 'head_branch'),
    sha: textAt(suite, 'head_sha'),
  });
}
