/** They enclose a value within a text: private-use characters, which `cleanValue` removes from values. */
const START = '\ue000';
const END = '\ue001';
const ENCLOSED = /\ue000([^\ue001]*)\ue001/g;

const VALUE_MAX = 200;
/** Characters that end a line, are invisible controls, or change the direction of the text around them. */
const UNSAFE = /[\p{Cc}\p{Co}\p{Cs}\p{Zl}\p{Zp}\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff]+/gu;

/** A value that others choose, on one line and of bounded length. A line break could forge a header or a paragraph. */
export function cleanValue(value: string): string {
  const line = value.replace(UNSAFE, '?');
  if (line.length <= VALUE_MAX) return line;
  let kept = '';
  for (const { segment } of new Intl.Segmenter().segment(line.slice(0, VALUE_MAX))) {
    if (kept.length + segment.length >= VALUE_MAX) break;
    kept += segment;
  }
  return `${kept}…`;
}

/** Marks a value, so that its direction does not mix with that of the text around it. */
export function isolate(value: string): string {
  return `${START}${cleanValue(value)}${END}`;
}

/** The text with its values in their final form, and the rest as `outside` makes it. */
export function withValues(
  text: string,
  outside: (text: string) => string,
  inside: (value: string) => string,
): string {
  let result = '';
  let end = 0;
  for (const match of text.matchAll(ENCLOSED)) {
    result += outside(text.slice(end, match.index)) + inside(match[1] ?? '');
    end = match.index + match[0].length;
  }
  return result + outside(text.slice(end));
}
