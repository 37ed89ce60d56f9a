import { signal } from '@preact/signals';
import { currentUser, currentUserProblem, reloadCurrentUser } from '../shared/api/current-user.ts';
import { session } from '../shared/api/session.ts';
import { mount, Page } from '../shared/page.tsx';
import { SudoQuestion } from '../shared/sudo/sudo.tsx';
import { Notice } from '../shared/ui.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { Applications } from './applications.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { Passkeys } from './passkeys/passkeys.tsx';
import { PasswordSection } from './password-section.tsx';
import { Profile } from './profile.tsx';
import { Sessions } from './sessions.tsx';
import { AuthenticatorApp } from './two-factor/authenticator-app.tsx';
import { BackupCodes } from './two-factor/backup-codes.tsx';

/** The name of the account that was deleted on this page. */
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
    <WhenLoaded loaded={loaded}>
      {(user) => (
        <>
          <Profile user={user} />
          <PasswordSection user={user} />
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
    </WhenLoaded>
  );
}

function Deleted({ username }: { username: string }) {
  return (
    <Page title="Account deleted">
      <Notice takesFocus>The account {username} is deleted, and all its sessions have ended.</Notice>
      <p>
        <a href="/">To the start page</a>
      </p>
    </Page>
  );
}
