import { readFile } from 'node:fs/promises';
import type { Email } from './email.ts';

/** An email's text. */
export interface Rendered {
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const TEMPLATE_FOLDER = new URL('../../mail-templates/', import.meta.url);
const SUBJECT = /^Subject: ([^\n]*)\n\n/;
const VALUE_MAX = 200;
const URL_MAX = 4_000;

type Template = (values: Readonly<Record<string, string>>) => Rendered;
const compiled = new Map<string, Promise<Template>>();

/**
 * Fills in a template of `mail-templates/`. Values that users choose (names, clients) stay on one line, are escaped in
 * HTML, and do not become links there, not even `example.com`.
 */
export async function renderEmail({
  template,
  values,
}: Pick<Email, 'template' | 'values'>): Promise<Rendered> {
  let loaded = compiled.get(template);
  if (loaded === undefined) {
    loaded = loadTemplate(template);
    compiled.set(template, loaded);
    loaded.catch(() => compiled.delete(template));
  }
  const lines = Object.entries(values).map(([name, value]) => [
    name,
    oneLine(value, name === 'url' ? URL_MAX : VALUE_MAX),
  ]);
  try {
    const fill = await loaded;
    return fill(Object.fromEntries(lines));
  } catch (error) {
    throw new TemplateError(template, error);
  }
}

/** A template cannot be read, or uses an unknown value. The message contains no values. */
export class TemplateError extends Error {
  constructor(template: string, cause: unknown) {
    super(`${template}: ${cause instanceof Error ? cause.message : String(cause)}`, { cause });
    this.name = 'TemplateError';
  }
}

async function loadTemplate(name: string): Promise<Template> {
  const [{ default: handlebars }, plain, html] = await Promise.all([
    import('handlebars'),
    readTemplate(`${name}.txt`),
    readTemplate(`${name}.html`),
  ]);
  const subject = SUBJECT.exec(plain)?.[1];
  if (subject === undefined)
    throw new SyntaxError(`${name}.txt must begin with "Subject: ..." and an empty line`);

  const textOptions = { strict: true, noEscape: true };
  const fillSubject = handlebars.compile<object>(subject, textOptions);
  const fillText = handlebars.compile<object>(plain.replace(SUBJECT, ''), textOptions);
  const fillHtml = handlebars.compile<object>(html, { strict: true });
  /** A word joiner after each dot keeps mail programs from making a link of it. */
  const inert = (value: string) =>
    new handlebars.SafeString(handlebars.escapeExpression(value).replaceAll('.', '.&#8288;'));

  return (values) => ({
    subject: fillSubject(values),
    text: fillText(values),
    html: fillHtml(
      Object.fromEntries(
        Object.entries(values).map(([name, value]) => [
          name,
          name === 'url' || name === 'token' ? value : inert(value),
        ]),
      ),
    ),
  });
}

/** Without a byte order mark, and with plain line feeds. */
async function readTemplate(file: string): Promise<string> {
  const text = await readFile(new URL(file, TEMPLATE_FOLDER), 'utf8');
  return text.replace(/^\ufeff/, '').replaceAll('\r\n', '\n');
}

/** Printable ASCII. A line break could forge a header or a paragraph; other characters would need an encoding. */
function oneLine(value: string, max: number): string {
  return value.replace(/[^\x20-\x7e]+/g, '?').slice(0, max);
}
