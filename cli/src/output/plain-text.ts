import { stripControls } from './printable.ts';

/** The text of a message for a terminal: links show their addresses, timestamps their times. */
export function plainText(text: string): string {
  return stripControls(
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
