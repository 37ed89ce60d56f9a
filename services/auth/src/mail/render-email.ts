import type { Branding } from '@gatehouse/kit/process/branding';
import type { EmailContent } from './email.ts';
import { mailLanguage } from './language.ts';
import { loadLayout, type RenderHtml } from './render-html.ts';
import { plain, renderText } from './render-text.ts';
import { writeLetter } from './write-letter.ts';

/** An email's text. */
export interface Rendered {
  readonly language: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

let layout: Promise<RenderHtml> | undefined;

/**
 * Writes an email in its language. Values that users choose (names, clients) stay on one line, are escaped in HTML, and
 * do not become links there, not even `example.com`.
 */
export async function renderEmail(
  email: Pick<EmailContent, 'template' | 'values' | 'language'>,
  branding: Branding,
): Promise<Rendered> {
  layout ??= loadLayout();
  try {
    const renderHtml = await layout;
    const language = mailLanguage(email.language);
    const letter = writeLetter(email, language, branding);
    return {
      language: language.tag,
      subject: plain(letter.subject, language.direction),
      text: renderText(letter, language.direction),
      html: renderHtml(letter, language, branding),
    };
  } catch (error) {
    layout = undefined; // the next mail reads it again
    throw new TemplateError(email.template, error);
  }
}

/** A mail cannot be written. The message contains no values. */
export class TemplateError extends Error {
  constructor(template: string, cause: unknown) {
    super(`${template}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'TemplateError';
  }
}
