import type { EmbedInput } from '@gatehouse/proto/chat';
import {
  type JsonObject,
  linkAt,
  objectAt,
  objectsAt,
  textAt,
  valueAt,
} from '../../execution/json-object.ts';
import type { Rendering } from '../../execution/rendering.ts';
import { COLORS } from '../colors.ts';
import { markdownLink, shortSha } from '../commit.ts';
import { commitLines } from '../commit-lines.ts';
import { authorAt, eventEmbed, LONG_TITLE_LIMIT, titleLine } from '../event-embed.ts';
import { splitRef } from '../refs.ts';

export function push(payload: JsonObject): Rendering<EmbedInput> {
  const ref = textAt(payload, 'ref');
  if (ref === undefined || textAt(payload, 'compare') === undefined) return { nothing: 'incomplete' };
  return valueAt(payload, 'forced') === true ? forcedPush(payload, ref) : ordinaryPush(payload, ref);
}

/** The deletion of a branch or tag is a push without commits. */
function ordinaryPush(payload: JsonObject, ref: string): Rendering<EmbedInput> {
  const commits = objectsAt(payload, 'commits');
  if (commits.length === 0) return { nothing: 'no_commits' };
  const count = commits.length === 1 ? '1 new commit' : `${commits.length} new commits`;
  return eventEmbed({
    title: titleLine`[${textAt(payload, 'repository', 'name')}:${splitRef(ref).name}] ${count}`,
    title_limit: LONG_TITLE_LIMIT,
    url: linkAt(payload, 'compare'),
    color: 0x7289da,
    description: commitLines(commits, linkAt(payload, 'repository', 'html_url')),
    author: authorAt(payload, 'sender'),
  });
}

/** A force-push may just reset the branch, so it needs a head commit but no other commits. */
function forcedPush(payload: JsonObject, ref: string): Rendering<EmbedInput> {
  const head = objectAt(payload, 'head_commit');
  if (head === undefined) return { nothing: 'no_commits' };
  const { noun, name } = splitRef(ref);
  const sha = shortSha(textAt(head, 'id') ?? textAt(payload, 'after'));
  const compare = linkAt(payload, 'compare');
  return eventEmbed({
    title: titleLine`[${textAt(payload, 'repository', 'name')}] ${noun} ${name} was force-pushed to ${sha}`,
    url: compare,
    color: COLORS.yellow,
    description: compare && markdownLink('Compare changes', compare),
    author: authorAt(payload, 'sender'),
  });
}
