import { type ComponentChildren, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { call } from './api/api.ts';
import { currentUser } from './api/current-user.ts';
import { forget, session } from './api/session.ts';

const FIRST_FRAME_MS = 100;

/** Puts a page into the document, once the browser has shown the frame that the document came with. */
export function mount(page: ComponentChildren): void {
  const app = document.getElementById('app');
  if (app === null) throw new Error('the document has no #app');
  void firstFrame().then(() => {
    app.replaceChildren();
    render(page, app);
  });
}

/** Nobody waits for it in a tab that is not seen, nor for long in another. */
function firstFrame(): Promise<void> {
  if (document.visibilityState === 'hidden') return Promise.resolve();
  return new Promise((resolve) => {
    requestAnimationFrame(() => setTimeout(resolve));
    setTimeout(resolve, FIRST_FRAME_MS);
  });
}

/** What every page has around it. `title` is also that of the tab. */
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
      <a href="/account">{currentUser.value?.username ?? 'Account'}</a>
      <a href="/developers">Developers</a>
      <button type="button" class="plain" onClick={() => void signOut()}>
        Sign out
      </button>
    </nav>
  );
}

/** Signed out here at once; the session ends at the server if that can be reached. */
export async function signOut(): Promise<void> {
  const ended = call('POST', '/auth/logout').catch(() => undefined);
  forget();
  await ended;
}
