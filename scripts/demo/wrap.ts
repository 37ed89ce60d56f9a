/** Lines of at most `width` columns, broken between words. A longer word, such as a link, has a line of its own. */
export function wrap(text: string, width: number): string[] {
  return text.split('\n').flatMap((line) => wrapLine(line, width));
}

function wrapLine(line: string, width: number): string[] {
  const lines: string[] = [];
  let current = '';
  for (const word of line.split(' ')) {
    if (current !== '' && columnsOf(current) + 1 + columnsOf(word) > width) {
      lines.push(current);
      current = word;
    } else current = current === '' ? word : `${current} ${word}`;
  }
  return [...lines, current];
}

/** How many columns of a terminal a text takes, for most scripts. */
export function columnsOf(text: string): number {
  let columns = 0;
  for (const character of text.replace(/[\p{M}\p{Cf}]/gu, '')) columns += WIDE.test(character) ? 2 : 1;
  return columns;
}

const WIDE =
  /[\p{Emoji_Presentation}\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}\u3000-\u303f\uff01-\uff60]/u;
