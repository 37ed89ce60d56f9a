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

/** Text from elsewhere, without what would steer the terminal. */
export function harmless(text: string): string {
  return stripVTControlCharacters(text).replace(/(?!\n)[\p{Cc}\p{Bidi_Control}]/gu, ' ');
}

export function columns(): number {
  return Math.min(process.stdout.columns ?? 100, 120);
}

/** Cut to `limit` characters; `…` marks a cut. */
export function shorten(text: string, limit: number): string {
  const points = [...text];
  return points.length <= limit ? text : `${points.slice(0, limit - 1).join('')}…`;
}
