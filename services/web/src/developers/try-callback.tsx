import { mount, Page } from '../shared/page.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';

mount(
  <Page title="try-callback">
    <SignedIn>
      <p>Signed in.</p>
    </SignedIn>
  </Page>,
);
