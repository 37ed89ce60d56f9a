const MARK = '...';

/**
 * A text of at most `limit` code points: a longer one ends in three dots, which count. A limit that
 * leaves no room beside the dots yields nothing.
 */
export function cut(text: string, limit: number): string {
  if (text.length <= limit) return text;
  // A code point is one or two units: this prefix decides, however long the text is.
  const points = Array.from(text.slice(0, 2 * (limit + 1)));
  if (points.length <= limit) return text;
  return limit > MARK.length ? points.slice(0, limit - MARK.length).join('') + MARK : '';
}
