import { type ComponentChildren, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { call } from './api/api.ts';
import { currentUser } from './api/current-user.ts';
import { forget, session } from './api/session.ts';

const FIRST_FRAME_MS = 100;

/** Renders a page into the document, once the browser has painted the frame in the HTML. */
export function mount(page: ComponentChildren): void {
  const app = document.getElementById('app');
  if (app === null) throw new Error('the document has no #app');
  void firstFrame().then(() => {
    app.replaceChildren();
    render(page, app);
  });
}

/** A hidden tab does not paint, so there is a timeout. */
function firstFrame(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, FIRST_FRAME_MS);
  });
}

/** The frame of every page. `title` is also the title of the tab. */
export function Page({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <header class="bar">
        <a class="brand" href="/">
          Gatehouse
        </a>
        {session.value && <Navigation />}
      </header>
      <main id="main" tabIndex={-1}>
        <h1>{title}</h1>
        {children}
      </main>
    </>
  );
}

function Navigation() {
  return (
    <nav aria-label="Pages">
      <PageLinks />
    </nav>
  );
}

/** The links of somebody who is signed in. */
export function PageLinks() {
  return (
    <>
      <a href="/account">{currentUser.value?.username ?? 'Account'}</a>
      <a href="/developers">Developers</a>
      <a href="/docs">Documentation</a>
      <button type="button" class="plain" onClick={() => void signOut()}>
        Sign out
      </button>
    </>
  );
}

/** Signs out on this page at once, and at the server if it can be reached. */
export async function signOut(): Promise<void> {
  const ended = call('POST', '/auth/logout').catch(() => undefined);
  forget();
  await ended;
}
