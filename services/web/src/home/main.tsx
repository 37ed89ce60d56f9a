import { mount, Page } from '../shared/page.tsx';
import { Problem } from '../shared/ui.tsx';

mount(<Home query={new URLSearchParams(location.search)} />);

/** Also the callback of applications that only install their bot (docs/oauth2.md#bot-installation). */
function Home({ query }: { query: URLSearchParams }) {
  if (query.has('error')) return <Failed error={query.get('error') ?? ''} />;
  if (query.has('code')) return <Installed />;
  return (
    <Page title="Welcome">
      <div class="card">
        <h2>
          <a href="/account">Your account</a>
        </h2>
        <p>Devices that are signed in, second factors, and the applications you allowed.</p>
      </div>
      <div class="card">
        <h2>
          <a href="/developers">For developers</a>
        </h2>
        <p>Register applications and bots.</p>
      </div>
    </Page>
  );
}

function Installed() {
  return (
    <Page title="Done">
      <p>The application was allowed. You can close this page.</p>
    </Page>
  );
}

function Failed({ error }: { error: string }) {
  const text =
    error === 'access_denied'
      ? 'You refused. The application got nothing.'
      : 'The application could not be allowed. Go back to it and try again.';
  return (
    <Page title="Not allowed">
      <Problem text={text} />
    </Page>
  );
}
