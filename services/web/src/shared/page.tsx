import { type ComponentChildren, Fragment, render } from 'preact';
import { useEffect } from 'preact/hooks';
import { call } from './api/api.ts';
import { currentUser } from './api/current-user.ts';
import { isResuming, leave, session, tellEnded } from './api/session.ts';
import { Brand, branding, OperatorLinks } from './branding/branding.tsx';
import { firstFrame } from './first-frame.ts';
import { i18n } from './i18n/i18n.ts';
import { language, startLanguage } from './i18n/language.ts';
import { Toasts } from './ui/toast.tsx';

/**
 * Renders a page into the document, once the browser has painted the frame in the HTML and the texts of the language are
 * loaded. Texts are read while components render: `page` is a component without texts as properties.
 */
export function mount(page: ComponentChildren): void {
  const app = document.getElementById('app');
  if (app === null) throw new Error('the document has no #app');
  void Promise.all([startLanguage(), firstFrame()]).then(() => {
    app.replaceChildren();
    render(<InLanguage page={page} />, app);
  });
}

/** Mounts the page anew when the language changes: components that have read a text do not notice it. */
function InLanguage({ page }: { page: ComponentChildren }) {
  return <Fragment key={language.value}>{page}</Fragment>;
}

/**
 * The frame of every page. `title` is also the title of the tab. `heading` is shown in its place on the page. A wide one
 * has room for lists with details. `offersSignIn` if the page itself has no sign-in form for somebody who is signed out.
 */
export function Page(props: {
  title: string;
  heading?: ComponentChildren;
  isWide?: boolean;
  offersSignIn?: boolean;
  children: ComponentChildren;
}) {
  const { title, heading = title, isWide = false, offersSignIn = false, children } = props;
  useEffect(() => {
    document.title = `${title} · ${branding.product_name}`;
  }, [title]);
  return (
    <>
      <a class="skip" href="#main">
        {i18n._('Skip to the content')}
      </a>
      <header class="bar">
        <Brand />
        <Navigation offersSignIn={offersSignIn} />
      </header>
      <main id="main" tabIndex={-1} {...(isWide && { class: 'wide' })}>
        <h1>{heading}</h1>
        {children}
      </main>
      <OperatorLinks />
      <Toasts />
    </>
  );
}

/** Empty until it is known whether somebody is signed in. */
function Navigation({ offersSignIn }: { offersSignIn: boolean }) {
  const isSignedIn = session.value !== undefined;
  if (!isSignedIn && isResuming.value) return null;
  return (
    <nav aria-label={i18n._('Pages')}>
      {isSignedIn ? <PageLinks /> : <VisitorLinks offersSignIn={offersSignIn} />}
    </nav>
  );
}

function VisitorLinks({ offersSignIn }: { offersSignIn: boolean }) {
  return (
    <>
      <PageLink href="/docs">{i18n._('Documentation')}</PageLink>
      {offersSignIn && <PageLink href="/account">{i18n._('Sign in')}</PageLink>}
    </>
  );
}

/** The links of somebody who is signed in. */
export function PageLinks() {
  return (
    <>
      <AccountLink />
      <PageLink href="/guilds">{i18n._('Guilds')}</PageLink>
      <PageLink href="/developers">{i18n._('Developers')}</PageLink>
      <PageLink href="/docs">{i18n._('Documentation')}</PageLink>
      <button type="button" class="plain" onClick={() => void signOut()}>
        {i18n._('Sign out')}
      </button>
    </>
  );
}

/** Its text is the user name, which does not say where the link leads. */
function AccountLink() {
  const name = currentUser.value?.username;
  if (name === undefined) return <PageLink href="/account">{i18n._('Account')}</PageLink>;
  return (
    <PageLink href="/account" label={i18n._('Account: {name}', { name })}>
      {name}
    </PageLink>
  );
}

function PageLink(props: { href: string; label?: string; children: string }) {
  const { href, label, children } = props;
  const isCurrent = location.pathname === href || location.pathname.startsWith(`${href}/`);
  return (
    <a href={href} aria-label={label} title={label} {...(isCurrent && { 'aria-current': 'page' as const })}>
      {children}
    </a>
  );
}

/** Signs out on this page at once, and at the server if it can be reached. */
export async function signOut(): Promise<void> {
  const ended = call('POST', '/auth/logout').catch(() => undefined);
  leave();
  await ended;
  tellEnded();
}
