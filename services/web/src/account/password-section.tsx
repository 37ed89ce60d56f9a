import type { CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { Ago } from '../shared/ago.tsx';
import { call } from '../shared/api/api.ts';
import { currentUser } from '../shared/api/current-user.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { NewPassword } from '../shared/new-password.tsx';
import { withSudo } from '../shared/sudo/sudo.tsx';
import { Checkbox } from '../shared/ui/checkbox.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Form } from '../shared/ui/form.tsx';
import { Section } from './section.tsx';
import { reloadSessions } from './sessions.tsx';
import { useAnnouncement } from './use-announcement.ts';

export function PasswordSection({ user }: { user: CurrentUser }) {
  const [announcement, announce] = useAnnouncement();
  const [isChanging, setChanging] = useState(false);
  return (
    <Section title={i18n._('Password')} anchor="password" announcement={announcement}>
      {user.password_last_changed_at && (
        <p>
          <Trans id="Last changed {time}." values={{ time: <Ago time={user.password_last_changed_at} /> }} />
        </p>
      )}
      <div class="actions">
        <button type="button" onClick={() => setChanging(true)}>
          {i18n._('Change the password')}
        </button>
      </div>
      {isChanging && (
        <ChangePassword
          onClose={() => setChanging(false)}
          onChanged={(changed, othersEnded) => {
            currentUser.value = changed;
            reloadSessions();
            setChanging(false);
            announce(
              othersEnded
                ? i18n._('Your password is changed. All other devices are signed out.')
                : i18n._('Your password is changed.'),
            );
          }}
        />
      )}
    </Section>
  );
}

function ChangePassword(props: {
  onClose: () => void;
  onChanged: (user: CurrentUser, othersEnded: boolean) => void;
}) {
  const { onClose, onChanged } = props;
  const [new_password, setPassword] = useState('');
  const [end_other_sessions, setEndOthers] = useState(true);
  const action = useAction(async () => {
    const change = { new_password, end_other_sessions };
    const user = await withSudo(() => call<CurrentUser>('PATCH', '/users/@me', change));
    onChanged(user, end_other_sessions);
  });
  return (
    <Dialog title={i18n._('Change the password')} onClose={onClose}>
      <Form action={action} submit={i18n._('Change')} onCancel={onClose}>
        <NewPassword value={new_password} onValue={setPassword} problem={action.problemOf('new_password')} />
        <Checkbox
          label={i18n._('Sign out all other devices')}
          checked={end_other_sessions}
          onChecked={setEndOthers}
        />
      </Form>
    </Dialog>
  );
}
