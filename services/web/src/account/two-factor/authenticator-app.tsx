import type { BackupCode, CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { reloadCurrentUser } from '../../shared/api/current-user.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { ensureSudo } from '../../shared/sudo/sudo.tsx';
import { ActionButton } from '../../shared/ui/action-button.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { Section } from '../section.tsx';
import { useAnnouncement } from '../use-announcement.ts';
import { CodesDialog } from './codes-dialog.tsx';
import { SetUpApp } from './set-up-app.tsx';

/** Settings of TOTP as a second factor. */
export function AuthenticatorApp({ user }: { user: CurrentUser }) {
  const [announcement, announce] = useAnnouncement();
  const [open, setOpen] = useState<'set up' | 'turn off'>();
  const [codes, setCodes] = useState<readonly BackupCode[]>();
  const isOn = user.authenticator_types.includes('totp');
  const setUp = useAction(async () => {
    await ensureSudo();
    setOpen('set up');
  });
  const close = () => setOpen(undefined);
  return (
    <Section title={i18n._('Authenticator app')} announcement={announcement}>
      <p>{explanation(isOn)}</p>
      {isOn ? (
        <button type="button" class="danger" onClick={() => setOpen('turn off')}>
          {i18n._('Turn off')}
        </button>
      ) : (
        <ActionButton action={setUp}>{i18n._('Set up an app')}</ActionButton>
      )}
      {open === 'set up' && (
        <SetUpApp
          account={user.email ?? user.username}
          onClose={close}
          onEnabled={(newCodes) => {
            close();
            setCodes(newCodes);
          }}
        />
      )}
      {codes && (
        <CodesDialog
          title={i18n._('Keep your backup codes')}
          account={user.username}
          codes={codes}
          onClose={() => {
            setCodes(undefined);
            announce(i18n._('The authenticator app is on.'));
            void reloadCurrentUser();
          }}
        />
      )}
      {open === 'turn off' && (
        <TurnOff
          onClose={close}
          onDone={async () => {
            await reloadCurrentUser();
            close();
            announce(i18n._('The authenticator app is off.'));
          }}
        />
      )}
    </Section>
  );
}

function explanation(isOn: boolean): string {
  if (isOn) return i18n._('After your password, we ask for a code from your authenticator app.');
  return i18n._(
    'An app on your phone shows a new code every 30 seconds. We ask for it after your password, so a stolen password is not enough.',
  );
}

/** The code itself is the proof, so sudo mode is not needed. */
function TurnOff({ onClose, onDone }: { onClose: () => void; onDone: () => Promise<void> }) {
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    await call('POST', '/users/@me/mfa/totp/disable', { code });
    await onDone();
  });
  return (
    <Dialog title={i18n._('Turn off the authenticator app?')} onClose={onClose}>
      <Form action={action} submit={i18n._('Turn off')} kind="danger" onCancel={onClose}>
        <p>{i18n._('If you have no passkey either, your password alone then opens your account.')}</p>
        <Field
          label={i18n._('Code')}
          hint={i18n._('From the app, or a backup code.')}
          autoComplete="one-time-code"
          value={code}
          onValue={setCode}
          problem={action.problemOf('code')}
        />
      </Form>
    </Dialog>
  );
}
