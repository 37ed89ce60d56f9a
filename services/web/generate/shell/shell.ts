import type { I18n } from '@lingui/core';

const NEEDS_SCRIPT = `
    <noscript><p class="notice problem">This page needs JavaScript.</p></noscript>`;

/**
 * The HTML around the title and the script of each page. A page without a script has its <main> in its file. `icon` and
 * `style` are relative to the page.
 */
export function shell(
  page: string,
  { icon, style }: { readonly icon: string; readonly style: string },
): string {
  const main = /<main>.*<\/main>/s.exec(page)?.[0];
  return `<!doctype html>
<html lang="en" dir="ltr">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width" />
    <meta name="color-scheme" content="light dark" />
    <link rel="icon" href="${icon}" />
    <link rel="stylesheet" href="${style}" />
    ${page.replace(main ?? '', '').trim()}
  </head>
  <body>
    <div id="app">
      <header class="bar"><a class="brand" href="/">Gatehouse</a></header>
      ${main ?? '<main><p class="loading">Loading…</p></main>'}
    </div>${main === undefined ? NEEDS_SCRIPT : ''}
  </body>
</html>
`;
}

/** The texts of the shell and the titles of the pages, by the English ones. */
export function shellTexts(i18n: I18n): ReadonlyMap<string, string> {
  return new Map([
    ['Loading…', i18n._('Loading…')],
    ['This page needs JavaScript.', i18n._('This page needs JavaScript.')],
    ['Page not found', i18n._('Page not found')],
    ['Account', i18n._('Account')],
    ['Guilds', i18n._('Guilds')],
    ['Guild', i18n._('Guild')],
    ['Confirm your location', i18n._('Confirm your location')],
    ['Developers', i18n._('Developers')],
    ['Components', i18n._('Components')],
    ['Back in a moment', i18n._('Back in a moment')],
    [
      'The server is busy or being restarted. Nothing is lost.',
      i18n._('The server is busy or being restarted. Nothing is lost.'),
    ],
    ['This page tries again every five seconds.', i18n._('This page tries again every five seconds.')],
    ['Status', i18n._('Status')],
    ['Home', i18n._('Home')],
    ['New password', i18n._('New password')],
    ['Verify your address', i18n._('Verify your address')],
    ['Try it', i18n._('Try it')],
    ['Authorize an application', i18n._('Authorize an application')],
  ]);
}
