import { useEffect, useRef } from 'preact/hooks';
import { i18n } from '../shared/i18n/i18n.ts';
import { mount, Page } from '../shared/page.tsx';
import { SudoQuestion } from '../shared/sudo/sudo.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { ApplicationList } from './application-list.tsx';
import { ApplicationPage, UnknownPage } from './application-page.tsx';
import { currentRoute } from './current-route.ts';
import { NewApplication } from './new-application.tsx';
import type { Route } from './route.ts';
import { viewTitle } from './view.tsx';

mount(<Developers />);

function Developers() {
  const { title, tab } = viewTitle.value ?? { title: i18n._('For developers'), tab: undefined };
  return (
    <Page title={tab === undefined ? title : `${tab} · ${title}`} heading={<bdi>{title}</bdi>}>
      <SignedIn>
        <Portal route={currentRoute.value} />
        <SudoQuestion />
      </SignedIn>
    </Page>
  );
}

function Portal({ route }: { route: Route }) {
  const shown = useRef(route);
  useEffect(() => {
    if (route === shown.current) return;
    shown.current = route;
    (document.getElementById('view') ?? document.getElementById('main'))?.focus();
    scrollTo(0, 0);
  }, [route]);
  if (route.view === 'application') return <ApplicationPage key={route.id} id={route.id} tab={route.tab} />;
  if (route.view === 'new') return <NewApplication />;
  return route.view === 'list' ? <ApplicationList /> : <UnknownPage />;
}
