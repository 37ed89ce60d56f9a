import { signal } from '@preact/signals';
import { currentUser, currentUserProblem, reloadCurrentUser } from '../shared/api/current-user.ts';
import { session } from '../shared/api/session.ts';
import { useLoaded } from '../shared/api/use-loaded.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { mount, Page } from '../shared/page.tsx';
import { SudoQuestion } from '../shared/sudo/sudo.tsx';
import { Notice } from '../shared/ui/notice.tsx';
import { WhenLoaded } from '../shared/when-loaded.tsx';
import { SignedIn } from '../sign-in/sign-in.tsx';
import { Applications } from './applications.tsx';
import { DataExportSection } from './data-export/data-export-section.tsx';
import { DeleteAccount } from './delete-account.tsx';
import { loadOwnGuilds } from './guilds/own-guilds.ts';
import { OwnGuildsSection } from './guilds/own-guilds-section.tsx';
import { LanguageSection } from './language-section.tsx';
import { Passkeys } from './passkeys/passkeys.tsx';
import { PasswordSection } from './password-section.tsx';
import { Profile } from './profile.tsx';
import { PublicProfile } from './public-profile.tsx';
import { Sessions } from './sessions.tsx';
import { SignIns } from './sign-ins.tsx';
import { AuthenticatorApp } from './two-factor/authenticator-app.tsx';
import { BackupCodes } from './two-factor/backup-codes.tsx';

/** The name of the account that was deleted on this page. */
const deleted = signal<string | undefined>(undefined);

mount(<Account />);

function Account() {
  if (deleted.value !== undefined && session.value === undefined) return <Deleted username={deleted.value} />;
  return (
    <Page title={i18n._('Your account')}>
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
          <PublicProfile user={user} />
          <LanguageSection user={user} />
          <PasswordSection user={user} />
          <AuthenticatorApp user={user} />
          <Passkeys user={user} />
          {user.mfa_enabled && <BackupCodes user={user} />}
          <Sessions />
          <SignIns />
          <GuildsAndApplications account_id={user.id} />
          <DataExportSection />
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

/** Two sections that show the same guilds. */
function GuildsAndApplications({ account_id }: { account_id: string }) {
  const guilds = useLoaded(() => loadOwnGuilds(account_id), [account_id]);
  return (
    <>
      <Applications guilds={guilds.value} />
      <OwnGuildsSection guilds={guilds} />
    </>
  );
}

function Deleted({ username }: { username: string }) {
  return (
    <Page title={i18n._('Account deleted')}>
      <Notice takesFocus>
        <Trans
          id="The account {username} is deleted, and all its sessions have ended."
          values={{ username: <bdi>{username}</bdi> }}
        />
      </Notice>
      <p>
        <a href="/">{i18n._('To the start page')}</a>
      </p>
    </Page>
  );
}
