import type { CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../shared/api/api.ts';
import { currentUser } from '../shared/api/current-user.ts';
import { useAction } from '../shared/api/use-action.ts';
import { i18n } from '../shared/i18n/i18n.ts';
import { Trans } from '../shared/i18n/trans.tsx';
import { withSudo } from '../shared/sudo/sudo.tsx';
import { ActionButton } from '../shared/ui/action-button.tsx';
import { Dialog } from '../shared/ui/dialog.tsx';
import { Field } from '../shared/ui/field.tsx';
import { Form } from '../shared/ui/form.tsx';
import { Section } from './section.tsx';
import { useAnnouncement } from './use-announcement.ts';

/** The user name and email address of the account. */
export function Profile({ user }: { user: CurrentUser }) {
  const [announcement, announce] = useAnnouncement();
  const [isChanging, setChanging] = useState(false);
  const resend = useAction(async () => {
    await call('POST', '/auth/verify/resend');
    announce(i18n._('The mail is on its way to {email}. Open the link in it.', { email: user.email ?? '' }));
  });
  return (
    <Section title={i18n._('You')} announcement={announcement}>
      <dl class="facts">
        <dt>{i18n._('User name')}</dt>
        <dd>
          <bdi>{user.username}</bdi>
        </dd>
        <dt>{i18n._('E-mail address')}</dt>
        <dd>
          <bdi>{user.email}</bdi>{' '}
          <span class={user.verified ? 'badge' : 'badge warning'}>
            {user.verified ? i18n._('Verified') : i18n._('Not verified')}
          </span>
        </dd>
      </dl>
      {!user.verified && (
        <p>
          <Trans
            id="We sent a mail to this address. Open the link in it, or <0>enter its code</0>, so that we know it is yours."
            components={[
              // biome-ignore lint/a11y/useAnchorContent: the text is that of the message
              <a key="verify" href="/verify" />,
            ]}
          />
        </p>
      )}
      <div class="actions">
        {!user.verified && <ActionButton action={resend}>{i18n._('Send the mail again')}</ActionButton>}
        <button type="button" onClick={() => setChanging(true)}>
          {i18n._('Change the address')}
        </button>
      </div>
      {isChanging && (
        <ChangeAddress
          onClose={() => setChanging(false)}
          onChanged={(changed) => {
            currentUser.value = changed;
            setChanging(false);
            announce(
              i18n._('Your address is {email} now. We sent a mail there: open the link in it.', {
                email: changed.email ?? '',
              }),
            );
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
    <Dialog title={i18n._('Change the address')} onClose={onClose}>
      <Form action={action} submit={i18n._('Change')} onCancel={onClose}>
        <Field
          label={i18n._('New e-mail address')}
          type="email"
          autoComplete="email"
          hint={i18n._('You sign in with it from now on. The old address gets a mail about the change.')}
          value={email}
          onValue={setEmail}
          problem={action.problemOf('email')}
        />
      </Form>
    </Dialog>
  );
}
