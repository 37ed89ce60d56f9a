import type { CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { currentUser } from '../shared/api/current-user.ts';
import { useAction } from '../shared/api/use-action.ts';
import { withSudo } from '../shared/sudo/sudo.tsx';
import { ActionButton, Dialog, Field, Form } from '../shared/ui.tsx';
import { Section } from './section.tsx';
import { useAnnouncement } from './use-announcement.ts';

/** The user name and email address of the account. */
export function Profile({ user }: { user: CurrentUser }) {
  const [announcement, announce] = useAnnouncement();
  const [isChanging, setChanging] = useState(false);
  const resend = useAction(async () => {
    await call('POST', '/auth/verify/resend');
    announce(`The mail is on its way to ${user.email}. Open the link in it.`);
  });
  return (
    <Section title="You" announcement={announcement}>
      <dl class="facts">
        <dt>User name</dt>
        <dd>{user.username}</dd>
        <dt>E-mail address</dt>
        <dd>
          {user.email}{' '}
          <span class={user.verified ? 'badge' : 'badge warning'}>
            {user.verified ? 'Verified' : 'Not verified'}
          </span>
        </dd>
      </dl>
      {!user.verified && (
        <p>
          We sent a mail to this address. Open the link in it, or <a href="/verify">enter its code</a>, so
          that we know it is yours.
        </p>
      )}
      <div class="actions">
        {!user.verified && <ActionButton action={resend}>Send the mail again</ActionButton>}
        <button type="button" onClick={() => setChanging(true)}>
          Change the address
        </button>
      </div>
      {isChanging && (
        <ChangeAddress
          onClose={() => setChanging(false)}
          onChanged={(changed) => {
            currentUser.value = changed;
            setChanging(false);
            announce(`Your address is ${changed.email} now. We sent a mail there: open the link in it.`);
          }}
        />
      )}
    </Section>
  );
}

function ChangeAddress(props: { onClose: () => void; onChanged: (user: CurrentUser) => void }) {
  const { onClose, onChanged } = props;
  const [email, setEmail] = useState('');
  const action = useAction(async () => {
    onChanged(await withSudo(() => call<CurrentUser>('PATCH', '/users/@me', { email })));
  });
  return (
    <Dialog title="Change the address" onClose={onClose}>
      <Form action={action} submit="Change" onCancel={onClose}>
        <Field
          label="New e-mail address"
          type="email"
          autoComplete="email"
          hint="You sign in with it from now on. The old address gets a mail about the change."
          value={email}
          onValue={setEmail}
          problem={action.problemOf('email')}
        />
      </Form>
    </Dialog>
  );
}
