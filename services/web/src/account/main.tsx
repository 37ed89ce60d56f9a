import { signal } from '@preact/signals';
import { currentUser, currentUserProblem, reloadCurrentUser } from '../shared/current-user.ts';
import { mount, Page } from '../shared/page.tsx';
import { Ready } from '../shared/ready.tsx';
import { session } from '../shared/session.ts';
import { SudoQuestion } from '../shared/sudo.tsx';
import { Notice } from '../shared/ui.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { Applications } from './applications.tsx';
import { AuthenticatorApp } from './authenticator-app.tsx';
import { BackupCodes } from './backup-codes.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Passkeys } from './passkeys.tsx';
import { Password } from './password.tsx';
import { Sessions } from './sessions.tsx';
import { WhoYouAre } from './who-you-are.tsx';

/** The name of the account that was deleted here. */
const deleted = signal<string | undefined>(undefined);

mount(<Account />);

function Account() {
  if (deleted.value !== undefined && session.value === undefined) return <Deleted username={deleted.value} />;
  return (
    <Page title="Your account">
      <SignedIn>
        <Sections />
        <SudoQuestion />
      </SignedIn>
    </Page>
  );
}

function Sections() {
  const loaded = {
    value: currentUser.value,
    problem: currentUserProblem.value,
    reload: reloadCurrentUser,
  };
  return (
    <Ready loaded={loaded}>
      {(user) => (
        <>
          <WhoYouAre user={user} />
          <Password user={user} />
          <AuthenticatorApp user={user} />
          <Passkeys user={user} />
          {user.mfa_enabled && <BackupCodes user={user} />}
          <Sessions />
          <Applications />
          <DeleteAccount
            user={user}
            onDeleted={() => {
              deleted.value = user.username;
            }}
          />
        </>
      )}
    </Ready>
  );
}

function Deleted({ username }: { username: string }) {
  return (
    <Page title="Account deleted">
      <Notice takesFocus>
        The account {username} is deleted, and all that was signed in with it has ended.
      </Notice>
      <p>
        <a href="/">To the start page</a>
      </p>
    </Page>
  );
}
