import { type ComponentChildren, render } from 'preact';
import { firstFrame } from '../shared/first-frame.ts';
import { startLanguage } from '../shared/i18n/language.ts';
import { ExampleTools } from './example-tools.tsx';
import { fillIn } from './fill-in.ts';
import { rememberLanguage } from './language.ts';
import { ReaderLinks } from './reader-links.tsx';
import { Search } from './search-box.tsx';
import { SendRequest } from './send/send-request.tsx';
import type { Sendable } from './send/sendable.ts';
import { watchWideTables } from './wide-tables.ts';

fillIn('base_url', location.origin);
rememberLanguage();
void Promise.all([startLanguage(), firstFrame()]).then(() => {
  watchWideTables();
  island('docs-search', ({ index = '' }) => <Search index={index} />);
  island('docs-pages', () => <ReaderLinks />);
  island('docs-example', () => <ExampleTools />);
  // The build has written the attribute.
  island('docs-send', ({ operation = '' }) => <SendRequest operation={JSON.parse(operation) as Sendable} />);
});

/** Renders into an element of the page, if it has one. */
function island(id: string, content: (data: DOMStringMap) => ComponentChildren): void {
  const place = document.getElementById(id);
  if (place === null) return;
  place.replaceChildren();
  render(content(place.dataset), place);
}
