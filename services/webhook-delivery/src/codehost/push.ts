import type { EmbedInput } from '@gatehouse/proto/chat';
import { linkAt, objectAt, objectsAt, textAt, type Untyped, valueAt } from '../execution/untyped.ts';
import { author, embed, LONG_TITLE_LIMIT, markdownLink, shortSha, title } from './embed.ts';

const COLOR = 0x7289da;
const FORCED_COLOR = 0xfcbd1f;
/** More than a description shows of one message, or of the list of commits. */
const MESSAGE_PREFIX = 1000;
const MAX_LINES = 350;

export function push(payload: Untyped): EmbedInput | undefined {
  const ref = textAt(payload, 'ref');
  if (ref === undefined || textAt(payload, 'compare') === undefined) return undefined;
  return valueAt(payload, 'forced') === true ? forcedPush(payload, ref) : ordinaryPush(payload, ref);
}

function ordinaryPush(payload: Untyped, ref: string): EmbedInput | undefined {
  const commits = objectsAt(payload, 'commits');
  if (commits.length === 0) return undefined;
  const repo = textAt(payload, 'repository', 'name');
  const count = commits.length === 1 ? '1 new commit' : `${commits.length} new commits`;
  const home = linkAt(payload, 'repository', 'html_url');
  return embed({
    title: title`[${repo}:${splitRef(ref).name}] ${count}`,
    title_limit: LONG_TITLE_LIMIT,
    url: linkAt(payload, 'compare'),
    color: COLOR,
    description: commits
      .slice(0, MAX_LINES)
      .map((commit) => commitLine(commit, home))
      .join('\n'),
    author: author(payload, 'sender'),
  });
}

/** It needs a head_commit, but no commits. */
function forcedPush(payload: Untyped, ref: string): EmbedInput | undefined {
  const head = objectAt(payload, 'head_commit');
  if (head === undefined) return undefined;
  const repo = textAt(payload, 'repository', 'name');
  const { noun, name } = splitRef(ref);
  const sha = shortSha(textAt(head, 'id') ?? textAt(payload, 'after'));
  const compare = linkAt(payload, 'compare');
  return embed({
    title: title`[${repo}] ${noun} ${name} was force-pushed to ${sha}`,
    url: compare,
    color: FORCED_COLOR,
    description: compare === undefined ? undefined : markdownLink('Compare changes', compare),
    author: author(payload, 'sender'),
  });
}

function splitRef(ref: string): { noun: 'Branch' | 'Tag' | 'Ref'; name: string } {
  if (ref.startsWith('refs/heads/')) return { noun: 'Branch', name: ref.slice('refs/heads/'.length) };
  if (ref.startsWith('refs/tags/')) return { noun: 'Tag', name: ref.slice('refs/tags/'.length) };
  return { noun: 'Ref', name: ref };
}

/** Linked short ID, message and author, as far as they are there. */
function commitLine(commit: Untyped, home: string | undefined): string {
  const label = shortSha(textAt(commit, 'id'));
  const url = linkAt(commit, 'url');
  const link = label !== undefined && url !== undefined ? markdownLink(label, url) : label;
  const message = textAt(commit, 'message')
    ?.trim()
    .slice(0, MESSAGE_PREFIX)
    .replace(/\r\n?|\n/g, ' ');
  const head = [link, message && linkReverts(message, home)].filter((part) => part !== undefined).join(' ');
  return [head, textAt(commit, 'author', 'name')?.trim()].filter(Boolean).join(' - ');
}

/** Turns the sentence that Git writes into a revert into a link to the reverted commit. */
function linkReverts(message: string, home: string | undefined): string {
  if (home === undefined) return message;
  return message.replace(/This reverts commit ([0-9a-fA-F]{40})\./g, (sentence, sha: string) =>
    markdownLink(sentence, `${home}/commit/${sha}`),
  );
}
