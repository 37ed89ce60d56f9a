import type { RenderedMessage } from '@gatehouse/webhook-delivery/render';
import { columns, harmless, paint } from '../demo/terminal.ts';
import { wrap } from '../demo/wrap.ts';
import { embedPicture } from './embed-picture.ts';
import { plainText } from './plain-text.ts';

/** A message for a terminal. */
export function messagePicture({ username, content, embeds }: RenderedMessage): string {
  const width = columns();
  const name = username === null ? "(the webhook's name)" : harmless(username);
  return [
    `${paint('bold', name)} ${paint('cyan', 'BOT')}`,
    ...(content === null ? [] : wrap(plainText(content), width - 2).map((line) => `  ${line}`)),
    ...embeds.flatMap((embed) => ['', ...embedPicture(embed, width - 2).map((line) => `  ${line}`)]),
  ].join('\n');
}
