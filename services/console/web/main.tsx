import { sharedTexts } from 'virtual:shared-texts';
import { firstFrame } from '@gatehouse/web/shared/first-frame.ts';
import { i18n } from '@gatehouse/web/shared/i18n/i18n.ts';
import { render } from 'preact';
import { loadMe } from './api/me.ts';
import { Console } from './console.tsx';
import { startRouter } from './router/place.ts';
import './styles/console.css';

/** Renders the console into the document. */
function main(): void {
  const app = document.getElementById('app');
  if (app === null) throw new Error('the document has no #app');
  i18n.loadAndActivate({ locale: 'en', messages: sharedTexts });
  startRouter();
  void loadMe();
  void firstFrame().then(() => {
    app.replaceChildren();
    render(<Console />, app);
  });
}

main();
