import { linkAt, textAt, type Untyped } from '../execution/untyped.ts';
import { commitUrl, shortSha } from './commit.ts';
import { DESCRIPTION_LIMIT } from './embed.ts';
import { joinPieces, markdownLink, type Piece } from './pieces.ts';
import { lineOf } from './text.ts';

/**
 * A line for each commit, cut together to a description. Commits that have no room in it are not looked at.
 * `home` is the URL of the repository.
 */
export function commitLines(commits: readonly Untyped[], home: string | undefined): string {
  const pieces: Piece[] = [];
  let units = 0;
  for (const commit of commits.slice(0, DESCRIPTION_LIMIT)) {
    // A code point has at most two UTF-16 units.
    if (units > 2 * DESCRIPTION_LIMIT) break;
    const line = commitLine(commit, home);
    if (line.length === 0) continue;
    pieces.push(...(pieces.length > 0 ? [LINE_BREAK] : []), ...line);
    units += line.reduce((sum, { text }) => sum + text.length, 1);
  }
  return joinPieces(pieces);
}

const LINE_BREAK = { text: '\n' };

/** Linked short ID, message and author, as far as they are there. */
function commitLine(commit: Untyped, home: string | undefined): Piece[] {
  const label = shortSha(textAt(commit, 'id'));
  const url = linkAt(commit, 'url');
  const link = label && ((url && markdownLink(label, url)) ?? { text: label, whole: true });
  const message = words(textAt(commit, 'message'));
  const author = words(textAt(commit, 'author', 'name'));
  return [
    ...(link ? [link] : []),
    ...(link && message ? [{ text: ' ' }] : []),
    ...withLinkedReverts(message, home),
    ...(author ? [{ text: link || message ? ` - ${author}` : author }] : []),
  ];
}

/** The message, in which a sentence that Git writes into a revert becomes a link to the reverted commit. */
function withLinkedReverts(message: string, home: string | undefined): Piece[] {
  if (message === '') return [];
  // The odd parts are the sentences.
  return message.split(REVERT).map((text, index) => {
    const url = index % 2 === 1 ? commitUrl(home, text.slice(-SHA_AND_STOP, -1)) : undefined;
    return (url && markdownLink(text, url)) || { text };
  });
}

const REVERT = /(This reverts commit [0-9a-fA-F]{40}\.)/;
const SHA_AND_STOP = 41;

/** More than a description shows of one message. */
const WORDS_PREFIX = 1000;

/** What somebody wrote, on one line that leaves the lines below alone. */
function words(text: string | undefined): string {
  return withoutOpenCode(lineOf((text ?? '').trim().slice(0, WORDS_PREFIX)).trim());
}

/** Escapes backticks that no others close: they would make code of the links that follow. */
function withoutOpenCode(text: string): string {
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
