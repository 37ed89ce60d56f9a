import type { CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { forget } from '../shared/api/session.ts';
import { UserFacingError } from '../shared/api/user-facing-error.ts';
import { Confirm } from '../shared/confirm.tsx';
import { withSudo } from '../shared/sudo/sudo.tsx';
import { Field } from '../shared/ui.tsx';
import { Section } from './section.tsx';

export function DeleteAccount({ user, onDeleted }: { user: CurrentUser; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const close = () => {
    setAsking(false);
    setTyped('');
  };
  return (
    <Section title="Delete the account">
      <p>Your account ends for good, on all devices and in all applications.</p>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        Delete the account
      </button>
      {isAsking && (
        <Confirm
          title="Delete the account?"
          submit="Delete for good"
          onClose={close}
          act={async () => {
            if (typed.trim() !== user.username)
              throw new UserFacingError(`Type ${user.username} to delete this account.`);
            await withSudo(() => call('POST', '/users/@me/delete'));
            onDeleted();
            forget();
          }}
        >
          <p>This cannot be undone. With the account end:</p>
          <ul>
            <li>all devices that are signed in, passkeys and backup codes</li>
            <li>what you allowed applications to see</li>
            <li>applications of your own, with their bots</li>
          </ul>
          <Field
            label="Your user name"
            hint={`Type ${user.username} to show that you mean it.`}
            value={typed}
            onValue={setTyped}
          />
        </Confirm>
      )}
    </Section>
  );
}
