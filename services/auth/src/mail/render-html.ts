import { readFile } from 'node:fs/promises';
import { type Branding, textColorOn } from '@gatehouse/kit/process/branding';
import { withValues } from './isolate.ts';
import type { MailLanguage } from './language.ts';
import type { Letter } from './letter.ts';
import { plain } from './render-text.ts';

/** Compiled from mail-templates/layout.mjml by `npm run generate`. */
const LAYOUT = new URL('../generated/mail-layout.html', import.meta.url);

export type RenderHtml = (letter: Letter, language: MailLanguage, branding: Branding) => string;

/** Loads the layout of mails. Handlebars escapes all that it fills in. */
export async function loadLayout(): Promise<RenderHtml> {
  const [{ default: handlebars }, layout] = await Promise.all([
    import('handlebars'),
    readFile(LAYOUT, 'utf8'),
  ]);
  const fill = handlebars.compile<object>(layout, { strict: true });
  const escaped = (text: string) => handlebars.escapeExpression(text);
  /** A word joiner after each dot keeps mail programs from making a link of the value. */
  const inert = (value: string) => `<bdi>${escaped(value).replaceAll('.', '.&#8288;')}</bdi>`;
  const html = (text: string) => new handlebars.SafeString(withValues(text, escaped, inert));

  return (letter, { tag, direction }, { accent_color, logo_url, product_name }) => {
    const { button, code, facts, links } = letter;
    return fill({
      language: tag,
      direction,
      start: direction === 'rtl' ? 'right' : 'left',
      accent_color,
      accent_text_color: textColorOn(accent_color),
      logo_url: logo_url ?? '',
      product_name,
      title: plain(letter.subject, direction),
      subject: html(letter.subject),
      preview: html(letter.paragraphs[0] ?? ''),
      greeting: html(letter.greeting),
      paragraphs: letter.paragraphs.map(html),
      button: button.label,
      url: button.url,
      link_intro: letter.link_intro,
      code: code?.code ?? '',
      code_intro: code?.intro ?? '',
      facts: facts?.rows.map(({ name, value }) => ({ name, value: html(value) })) ?? [],
      facts_intro: facts?.intro ?? '',
      advice: html(letter.advice),
      reason: html(letter.reason),
      links,
    });
  };
}
