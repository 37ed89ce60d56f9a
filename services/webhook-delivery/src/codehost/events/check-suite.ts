import type { EmbedInput } from '@gatehouse/proto/chat';
import type { Rendering } from '../../execution/rendering.ts';
import { objectAt, textAt, type Untyped } from '../../execution/untyped.ts';
import { check } from '../check.ts';
import { title } from '../embed.ts';

export function checkSuite(payload: Untyped): Rendering<EmbedInput> {
  const suite = objectAt(payload, 'check_suite');
  const conclusion = textAt(suite, 'conclusion');
  if (conclusion === 'skipped') return { nothing: 'check_skipped' };
  return check(payload, {
    name: title`${textAt(suite, 'app', 'name')} checks`,
    conclusion,
    branch: textAt(suite, 'head_branch'),
    sha: textAt(suite, 'head_sha'),
  });
}
