import { Problem } from '@gatehouse/web/shared/ui/problem.tsx';
import { Skeleton } from '@gatehouse/web/shared/ui/skeleton.tsx';
import { Toasts } from '@gatehouse/web/shared/ui/toast.tsx';
import { me, meProblem } from './api/me.ts';
import { Header } from './frame/header.tsx';
import { Navigation } from './frame/navigation.tsx';
import { pageOf } from './pages.tsx';
import { matchPage } from './router/match-page.ts';
import { path } from './router/place.ts';
import { Enrol } from './sign-in/enrol.tsx';
import { LinkPage } from './sign-in/link-page.tsx';
import { SignInPage } from './sign-in/sign-in-page.tsx';

/** The console: the page of the path, or the sign-in form while nobody is signed in. */
export function Console() {
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      {showsPages() ? <SignedIn /> : <SignedOut />}
      <Toasts />
    </>
  );
}

function showsPages(): boolean {
  const known = me.value;
  if (typeof known !== 'object' || known.state === 'enrol' || path.value === '/link') return false;
  return path.value !== '/enrol' || known.has_factor;
}

function SignedIn() {
  const matched = matchPage(path.value);
  return (
    <>
      <Header />
      <div class="console">
        <Navigation />
        {pageOf(matched)}
      </div>
    </>
  );
}

function SignedOut() {
  return (
    <>
      <header class="bar">
        <a class="brand" href="/">
          Gatehouse <span class="quiet">console</span>
        </a>
      </header>
      {path.value === '/link' ? <LinkPage /> : <WhoSignsIn />}
    </>
  );
}

/** Empty while it is unknown whether somebody is signed in. */
function WhoSignsIn() {
  const known = me.value;
  if (known === 'nobody') return <SignInPage />;
  if (known !== 'unknown') return <Enrol name={known.name} />;
  return (
    <main id="main" tabIndex={-1}>
      <Problem text={meProblem.value} />
      {meProblem.value === undefined && <Skeleton />}
    </main>
  );
}
