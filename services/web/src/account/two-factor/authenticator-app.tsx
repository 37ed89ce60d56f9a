import type { BackupCode, CurrentUser } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { reloadCurrentUser } from '../../shared/api/current-user.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { ensureSudo } from '../../shared/sudo/sudo.tsx';
import { ActionButton, Dialog, Field, Form } from '../../shared/ui.tsx';
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
    <Section title="Authenticator app" announcement={announcement}>
      <p>
        {isOn
          ? 'After your password, we ask for a code from your authenticator app.'
          : 'An app on your phone shows a new code every 30 seconds. We ask for it after your password, so a stolen password is not enough.'}
      </p>
      {isOn ? (
        <button type="button" class="danger" onClick={() => setOpen('turn off')}>
          Turn off
        </button>
      ) : (
        <ActionButton action={setUp}>Set up an app</ActionButton>
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
          title="Keep your backup codes"
          account={user.username}
          codes={codes}
          onClose={() => {
            setCodes(undefined);
            announce('The authenticator app is on.');
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
            announce('The authenticator app is off.');
          }}
        />
      )}
    </Section>
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
    <Dialog title="Turn off the authenticator app?" onClose={onClose}>
      <Form action={action} submit="Turn off" kind="danger" onCancel={onClose}>
        <p>If you have no passkey either, your password alone then opens your account.</p>
        <Field
          label="Code"
          hint="From the app, or a backup code."
          autoComplete="one-time-code"
          value={code}
          onValue={setCode}
          problem={action.problemOf('code')}
        />
      </Form>
    </Dialog>
  );
}
