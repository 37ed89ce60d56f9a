import { type JsonObject, linkAt, textAt } from '../execution/json-object.ts';
import { commitUrl, markdownLink, shortSha } from './commit.ts';
import { DESCRIPTION_LIMIT } from './event-embed.ts';
import { lineOf } from './text.ts';

/**
 * One line per commit. The caller cuts the description, so commits past its limit are not rendered.
 *
 * @param repositoryUrl the URL of the repository's page
 */
export function commitLines(commits: readonly JsonObject[], repositoryUrl: string | undefined): string {
  const lines: string[] = [];
  let units = 0;
  for (const commit of commits.slice(0, DESCRIPTION_LIMIT)) {
    // A code point has at most two UTF-16 units.
    if (units > 2 * DESCRIPTION_LIMIT) break;
    const line = commitLine(commit, repositoryUrl);
    if (line === '') continue;
    lines.push(line);
    units += line.length + 1;
  }
  return lines.join('\n');
}

/** The linked short ID, the message and the author. Missing parts are left out. */
function commitLine(commit: JsonObject, repositoryUrl: string | undefined): string {
  const label = shortSha(textAt(commit, 'id'));
  const url = linkAt(commit, 'url');
  const link = label && url ? markdownLink(label, url) : label;
  const message = linkReverts(inlineText(textAt(commit, 'message')), repositoryUrl);
  const head = [link, message].filter(Boolean).join(' ');
  return [head, inlineText(textAt(commit, 'author', 'name'))].filter(Boolean).join(' - ');
}

/** The message. In the sentence that Git writes into a revert, the commit ID becomes a link. */
function linkReverts(message: string, repositoryUrl: string | undefined): string {
  return message.replace(REVERT, (sentence, sha: string) => {
    const url = commitUrl(repositoryUrl, sha);
    return url === undefined ? sentence : markdownLink(sentence, url);
  });
}

const REVERT = /This reverts commit ([0-9a-fA-F]{40})\./g;

/** In UTF-16 units: longer than the part of a message that a description shows. */
const MAX_INLINE_UNITS = 1000;

/** A user's text on one line. Its markdown does not affect the following lines. */
function inlineText(text: string | undefined): string {
  return escapeUnpairedBackticks(lineOf((text ?? '').trim().slice(0, MAX_INLINE_UNITS)).trim());
}

/** Escapes unpaired backticks, which would turn the following links into code. */
function escapeUnpairedBackticks(text: string): string {
  let opened = '';
  return text
    .split(/(`+)/)
    .map((part, index, parts) => {
      if (index % 2 === 0) return part;
      if (opened !== '') {
        if (part === opened) opened = '';
        return part;
      }
      const closed = parts.includes(part, index + 1);
      if (closed) opened = part;
      return closed ? part : part.replaceAll('`', '\\`');
    })
    .join('');
}
