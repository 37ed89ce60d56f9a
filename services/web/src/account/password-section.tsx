import type { CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { Ago } from '../shared/ago.tsx';
import { call } from '../shared/api/api.ts';
import { currentUser } from '../shared/api/current-user.ts';
import { useAction } from '../shared/api/use-action.ts';
import { NewPassword } from '../shared/new-password.tsx';
import { withSudo } from '../shared/sudo/sudo.tsx';
import { Checkbox, Dialog, Form } from '../shared/ui.tsx';
import { Section } from './section.tsx';
import { reloadSessions } from './sessions.tsx';
import { useAnnouncement } from './use-announcement.ts';

export function PasswordSection({ user }: { user: CurrentUser }) {
  const [announcement, announce] = useAnnouncement();
  const [isChanging, setChanging] = useState(false);
  return (
    <Section title="Password" announcement={announcement}>
      {user.password_last_changed_at && (
        <p>
          Last changed <Ago time={user.password_last_changed_at} />.
        </p>
      )}
      <div class="actions">
        <button type="button" onClick={() => setChanging(true)}>
          Change the password
        </button>
      </div>
      {isChanging && (
        <ChangePassword
          onClose={() => setChanging(false)}
          onChanged={(changed, othersEnded) => {
            currentUser.value = changed;
            reloadSessions();
            setChanging(false);
            const also = othersEnded ? ' All other devices are signed out.' : '';
            announce(`Your password is changed.${also}`);
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
    <Dialog title="Change the password" onClose={onClose}>
      <Form action={action} submit="Change" onCancel={onClose}>
        <NewPassword value={new_password} onValue={setPassword} problem={action.problemOf('new_password')} />
        <Checkbox label="Sign out all other devices" checked={end_other_sessions} onChecked={setEndOthers} />
      </Form>
    </Dialog>
  );
}
