import { withValues } from './isolate.ts';
import type { Letter } from './letter.ts';

const FIRST_STRONG_ISOLATE = '\u2068';
const POP_DIRECTIONAL_ISOLATE = '\u2069';

/** A letter as plain text. The link and the code are alone on their lines. */
export function renderText(letter: Letter, direction: 'ltr' | 'rtl'): string {
  const { greeting, paragraphs, button, link_intro, code, facts, advice, reason, links } = letter;
  const blocks = [
    greeting,
    ...paragraphs,
    link_intro,
    button.url,
    ...(code === undefined ? [] : [code.intro, code.code]),
    ...(facts === undefined
      ? []
      : [facts.intro, facts.rows.map(({ name, value }) => `${name}: ${value}`).join('\n')]),
    advice,
    [`-- \n${reason}`, ...links.map(({ label, url }) => `${label}: ${url}`)].join('\n'),
  ];
  return `${blocks.map((block) => plain(block, direction)).join('\n\n')}\n`;
}

/** A single line, such as the subject. */
export function plain(text: string, direction: 'ltr' | 'rtl'): string {
  return withValues(
    text,
    (part) => part,
    (value) => isolated(value, direction),
  );
}

/** In a text from left to right, ASCII needs no isolation, and the mail stays ASCII. */
function isolated(value: string, direction: 'ltr' | 'rtl'): string {
  const isPlain = direction === 'ltr' && /^[\x20-\x7e]*$/.test(value);
  return isPlain ? value : `${FIRST_STRONG_ISOLATE}${value}${POP_DIRECTIONAL_ISOLATE}`;
}
