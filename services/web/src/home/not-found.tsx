import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { mount, Page } from '../shared/page.tsx';
import { Name } from '../shared/ui/name.tsx';
import { Destinations } from './destinations.tsx';

function NotFound() {
  return (
    <Page title={i18n._('Page not found')} isWide offersSignIn>
      <p>
        <Trans id="There is no page at {address}." values={{ address: <Address /> }} />{' '}
        {i18n._('The link may be old, or the address has a typing error. Begin at one of these:')}
      </p>
      <Destinations />
    </Page>
  );
}

/** It may be long: anybody can make a link. */
function Address() {
  return (
    <code>
      <Name text={location.pathname} />
    </code>
  );
}

mount(<NotFound />);
