import type { EmbedInput } from '@gatehouse/proto/chat';
import { linkAt, objectAt, textAt, type Untyped } from '../execution/untyped.ts';
import { embed, LONG_TITLE_LIMIT, title } from './embed.ts';

const GREEN = 0x009800;
const RED = 0xfc2929;

export function checkRun(payload: Untyped): EmbedInput | undefined {
  const run = objectAt(payload, 'check_run');
  const suite = objectAt(run, 'check_suite');
  if (textAt(payload, 'action') !== 'completed' || textAt(suite, 'conclusion') === 'skipped')
    return undefined;
  return check(payload, {
    name: textAt(run, 'name'),
    conclusion: textAt(run, 'conclusion'),
    branch: textAt(suite, 'head_branch'),
    sha: textAt(run, 'head_sha'),
  });
}

export function checkSuite(payload: Untyped): EmbedInput | undefined {
  const suite = objectAt(payload, 'check_suite');
  const conclusion = textAt(suite, 'conclusion');
  if (textAt(payload, 'action') !== 'completed' || conclusion === 'skipped') return undefined;
  return check(payload, {
    name: title`${textAt(suite, 'app', 'name')} checks`,
    conclusion,
    branch: textAt(suite, 'head_branch'),
    sha: textAt(suite, 'head_sha'),
  });
}

interface Check {
  readonly name: string | undefined;
  readonly conclusion: string | undefined;
  readonly branch: string | undefined;
  readonly sha: string | undefined;
}

function check(payload: Untyped, { name, conclusion, branch, sha }: Check): EmbedInput | undefined {
  const repo = textAt(payload, 'repository', 'name');
  // A check of a fork's pull request has no branch here.
  const where = branch === undefined ? '' : ` on ${branch}`;
  const home = linkAt(payload, 'repository', 'html_url');
  return embed({
    title: title`[${repo}] ${name} ${conclusion}${where}`,
    title_limit: LONG_TITLE_LIMIT,
    url: linkAt({ url: title`${home}/commit/${sha}` }, 'url'),
    color: conclusion === 'success' ? GREEN : RED,
  });
}
