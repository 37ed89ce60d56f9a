import type { EmbedInput } from '@gatehouse/proto/chat';
import { type JsonObject, linkAt, textAt } from '../execution/json-object.ts';
import type { Rendering } from '../execution/rendering.ts';
import { COLORS } from './colors.ts';
import { commitUrl } from './commit.ts';
import { eventEmbed, LONG_TITLE_LIMIT, titleLine } from './event-embed.ts';

/** A check run or a check suite. */
export interface Check {
  readonly name: string | undefined;
  readonly conclusion: string | undefined;
  readonly branch: string | undefined;
  readonly sha: string | undefined;
}

/** The embed of a completed check. It has no author. */
export function checkEmbed(
  payload: JsonObject,
  { name, conclusion, branch, sha }: Check,
): Rendering<EmbedInput> {
  const repo = textAt(payload, 'repository', 'name');
  // A check on a fork's pull request has no branch in this repository.
  const title =
    branch === undefined
      ? titleLine`[${repo}] ${name} ${conclusion}`
      : titleLine`[${repo}] ${name} ${conclusion} on ${branch}`;
  return eventEmbed({
    title,
    title_limit: LONG_TITLE_LIMIT,
    url: commitUrl(linkAt(payload, 'repository', 'html_url'), sha),
    color: conclusion === 'success' ? COLORS.green : COLORS.red,
  });
}
