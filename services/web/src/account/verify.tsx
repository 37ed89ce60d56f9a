import { mount, Page } from '../shared/page.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';

mount(
  <Page title="verify">
    <SignedIn>
      <p>Signed in.</p>
    </SignedIn>
  </Page>,
);
