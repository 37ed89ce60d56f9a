import type { BackupCode, EnableTotpResponse } from '@gatehouse/proto/auth';
import { useState } from 'preact/hooks';
import { call } from '../../shared/api/api.ts';
import { useAction } from '../../shared/api/use-action.ts';
import { i18n } from '../../shared/i18n/i18n.ts';
import { QrCode } from '../../shared/qr-code/qr-code.tsx';
import { withSudo } from '../../shared/sudo/sudo.tsx';
import { Dialog } from '../../shared/ui/dialog.tsx';
import { Field } from '../../shared/ui/field.tsx';
import { Form } from '../../shared/ui/form.tsx';
import { CopyButton } from './copy-button.tsx';
import { inGroups, newTotpSecret, otpauthUri } from './totp-secret.ts';

/** Shows a new secret, and verifies a code from the app. */
export function SetUpApp(props: {
  /** The account name in the app. */
  account: string;
  onClose: () => void;
  onEnabled: (codes: readonly BackupCode[]) => void;
}) {
  const { account, onClose, onEnabled } = props;
  const [secret] = useState(newTotpSecret);
  const [code, setCode] = useState('');
  const action = useAction(async () => {
    const body = { secret, code: code.replaceAll(' ', '') };
    const { backup_codes } = await withSudo(() =>
      call<EnableTotpResponse>('POST', '/users/@me/mfa/totp/enable', body),
    );
    onEnabled(backup_codes);
  });
  return (
    <Dialog title={i18n._('Set up an authenticator app')} onClose={onClose}>
      <Form action={action} submit={i18n._('Turn on')} onCancel={onClose}>
        <p>{i18n._('Scan this with the app, or type the key into it.')}</p>
        <QrCode text={otpauthUri(secret, account)} label={i18n._('QR code for the authenticator app')} />
        <p>
          <span class="quiet">{i18n._('Key:')}</span> <code>{inGroups(secret)}</code>
        </p>
        <div class="actions field">
          <CopyButton text={secret}>{i18n._('Copy the key')}</CopyButton>
        </div>
        <Field
          label={i18n._('Code that the app shows now')}
          autoComplete="one-time-code"
          inputMode="numeric"
          value={code}
          onValue={setCode}
          problem={action.problemOf('code')}
        />
      </Form>
    </Dialog>
  );
}
