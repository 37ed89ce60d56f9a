import type { Style } from '../demo/terminal.ts';
import { columnsOf } from '../demo/wrap.ts';

export interface Span {
  readonly text: string;
  readonly style?: Style | undefined;
}

/** The spans as far as they fit into `width` columns with a space between two; `…` marks a cut. */
export function cut(spans: readonly Span[], width: number): Span[] {
  const columns = spans.map(({ text }) => columnsOf(text));
  if (columns.reduce((sum, each) => sum + each + 1, -1) <= width) return [...spans];
  const kept: Span[] = [];
  let room = width - 1;
  for (const [n, { text, style }] of spans.entries()) {
    if (room <= 0) break;
    kept.push({ text: textWithin(text, room), style });
    room -= (columns[n] ?? 0) + 1;
  }
  return kept.map((span, n) => (n === kept.length - 1 ? { ...span, text: `${span.text}…` } : span));
}

function textWithin(text: string, width: number): string {
  let kept = '';
  let room = width;
  for (const character of text) {
    room -= columnsOf(character);
    if (room < 0) break;
    kept += character;
  }
  return kept;
}
