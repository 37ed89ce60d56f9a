import type { CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { forget } from '../shared/api/session.ts';
import { UserFacingError } from '../shared/api/user-facing-error.ts';
import { Confirm } from '../shared/confirm.tsx';
import { i18n } from '../shared/i18n/i18n.ts';
import { withSudo } from '../shared/sudo/sudo.tsx';
import { Field } from '../shared/ui/field.tsx';
import { Section } from './section.tsx';

export function DeleteAccount({ user, onDeleted }: { user: CurrentUser; onDeleted: () => void }) {
  const [isAsking, setAsking] = useState(false);
  const [typed, setTyped] = useState('');
  const close = () => {
    setAsking(false);
    setTyped('');
  };
  return (
    <Section title={i18n._('Delete the account')}>
      <p>{i18n._('Your account ends for good, on all devices and in all applications.')}</p>
      <button type="button" class="danger" onClick={() => setAsking(true)}>
        {i18n._('Delete the account')}
      </button>
      {isAsking && (
        <Confirm
          title={i18n._('Delete the account?')}
          submit={i18n._('Delete for good')}
          onClose={close}
          act={async () => {
            if (typed.trim() !== user.username)
              throw new UserFacingError(
                i18n._('Type {name} to delete this account.', { name: user.username }),
              );
            await withSudo(() => call('POST', '/users/@me/delete'));
            onDeleted();
            forget();
          }}
        >
          <p>{i18n._('This cannot be undone. With the account end:')}</p>
          <ul>
            <li>{i18n._('all devices that are signed in, passkeys and backup codes')}</li>
            <li>{i18n._('what you allowed applications to see')}</li>
            <li>{i18n._('applications of your own, with their bots')}</li>
          </ul>
          <Field
            label={i18n._('Your user name')}
            hint={i18n._('Type {name} to show that you mean it.', { name: user.username })}
            value={typed}
            onValue={setTyped}
          />
        </Confirm>
      )}
    </Section>
  );
}
