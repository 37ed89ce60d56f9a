import type { WriteStream } from 'node:tty';
import { stripVTControlCharacters, styleText } from 'node:util';

export type Style = 'bold' | 'dim' | 'red' | 'green' | 'yellow' | 'cyan';

export function say(text: string): void {
  process.stdout.write(`${text}\n`);
}

/** Text in a style, where the stream is a terminal that shows it (NO_COLOR is heeded). */
export function paint(style: Style, text: string, stream: WriteStream = process.stdout): string {
  return styleText(style, text, { stream });
}

/** Text in an embed's color, as nearly as the stream shows colors; yellow where it has few, or there is none. */
export function paintColor(
  color: number | undefined,
  text: string,
  stream: WriteStream = process.stdout,
): string {
  const depth = stream.isTTY ? stream.getColorDepth() : 1;
  if (color === undefined || depth < 8) return paint('yellow', text, stream);
  const [red = 0, green = 0, blue = 0] = [16, 8, 0].map((shift) => (color >> shift) & 0xff);
  const cube = [red, green, blue].map((part) => Math.round((part / 255) * 5));
  const code =
    depth >= 24
      ? `2;${red};${green};${blue}`
      : `5;${16 + 36 * (cube[0] ?? 0) + 6 * (cube[1] ?? 0) + (cube[2] ?? 0)}`;
  return `\u001b[38;${code}m${text}\u001b[39m`;
}

/** Text from elsewhere, without what would steer the terminal. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}

export function columns(): number {
  return Math.min(process.stdout.columns || 100, 120);
}

/** Cut to `limit` characters; `…` marks a cut. */
export function shorten(text: string, limit: number): string {
  const points = [...text];
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join('')}…`;
}
