/**
 * Values in examples that the reader's browser replaces: by the address of this page, and by the reader's application.
 * Characters of a private use area stand for them while the examples are made and highlighted.
 */
const PLACEHOLDERS = {
  base_url: { mark: '\u{E000}', shown: 'http://127.0.0.1:8080' },
  application_id: { mark: '\u{E001}', shown: '1234567890123456789' },
} as const;

export const BASE_URL = PLACEHOLDERS.base_url.mark;
export const APPLICATION_ID = PLACEHOLDERS.application_id.mark;

/** Members and parameters whose value is the ID of an application. */
export const APPLICATION_MEMBERS: ReadonlySet<string> = new Set(['application_id', 'client_id']);

/** Wraps each placeholder of an HTML text in an element that the page's script fills in. */
export function withPlaceholders(html: string): string {
  let text = html;
  for (const [name, { mark, shown }] of Object.entries(PLACEHOLDERS))
    text = text.replaceAll(mark, `<span data-value="${name}">${shown}</span>`);
  return text;
}
