import { harmless } from '../demo/terminal.ts';

/** A message's text for a terminal: links with their addresses, times as times, and nothing that steers the terminal. */
export function plainText(text: string): string {
  return harmless(
    text
      .replace(
        /\[((?:\\.|[^\]\\\n])+)\]\((https?:\/\/[^\s)]+)\)/gi,
        (_, label: string, url: string) => `${label.replace(/\\(.)/g, '$1')} <${url}>`,
      )
      .replace(/<t:(-?[0-9]{1,13})(?::[a-z])?>/gi, (markup, seconds: string) => timeText(seconds) ?? markup),
  );
}

function timeText(seconds: string): string | undefined {
  const date = new Date(Number(seconds) * 1000);
  return Number.isNaN(date.getTime())
    ? undefined
    : `${date.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
