import { CUT_MARK, cut } from '../execution/cut.ts';
import { DESCRIPTION_LIMIT } from './embed.ts';

/** A part of a description. One that is whole is left out rather than cut: half a link shows as its source. */
export interface Piece {
  readonly text: string;
  readonly whole?: boolean;
}

/** A Markdown link, unless a description has no room for it. */
export function markdownLink(label: string, url: string): Piece | undefined {
  const text = `[${label}](${url.replaceAll('(', '%28').replaceAll(')', '%29')})`;
  return text.length > DESCRIPTION_LIMIT - CUT_MARK.length ? undefined : { text, whole: true };
}

/** The pieces as one description, [cut](docs/webhooks.md#cuts) to its limit. */
export function joinPieces(pieces: readonly Piece[]): string {
  const text = pieces.map((piece) => piece.text).join('');
  const asCut = cut(text, DESCRIPTION_LIMIT);
  if (asCut === text) return text;
  const end = asCut.length - CUT_MARK.length;
  let start = 0;
  for (const piece of pieces) {
    const next = start + piece.text.length;
    if (next > end) return piece.whole ? text.slice(0, start) + CUT_MARK : asCut;
    start = next;
  }
  return asCut;
}
